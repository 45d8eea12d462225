-- database: main.shop
-- edge: main.raw.users#id -> main.shop.users#id IDENTITY
-- edge: main.raw.users#mail -> main.shop.users#mail TRANSFORMATION
-- edge: main.raw.users#deleted -> main.shop.users FILTER
-- completeness: complete
-- note: cells of a notebook have no semicolons

-- Databricks notebook source
-- MAGIC %md
-- MAGIC # Users; what's kept of them

-- COMMAND ----------

CREATE OR REPLACE TEMP VIEW live_users AS
SELECT id, lower(mail) AS mail FROM main.raw.users WHERE NOT deleted

-- COMMAND ----------

CACHE TABLE live_users

-- COMMAND ----------

INSERT OVERWRITE users (id, mail)
SELECT id, mail FROM live_users

-- COMMAND ----------

OPTIMIZE users ZORDER BY (id)
