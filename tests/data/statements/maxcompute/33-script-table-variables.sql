-- columns: ods.login(uid, ip, login_time, ds)
-- columns: ods.device(uid, model, ds)
-- columns: ads.user_device(uid, last_login, model)
-- edge: ods.login#uid -> ads.user_device#uid IDENTITY
-- edge: ods.login#login_time -> ads.user_device#last_login AGGREGATION
-- edge: ods.device#model -> ads.user_device#model IDENTITY
-- edge: ods.login#ds -> ads.user_device FILTER
-- edge: ods.device#ds -> ads.user_device FILTER
-- edge: ods.login#uid -> ads.user_device GROUP_BY
-- edge: ods.login#uid -> ads.user_device JOIN
-- edge: ods.device#uid -> ads.user_device JOIN
-- completeness: complete

@bizday := '20250601';
@last := SELECT uid, MAX(login_time) AS last_login FROM ods.login WHERE ds = @bizday GROUP BY uid;
@dev := SELECT uid, model FROM ods.device WHERE ds = @bizday;
INSERT OVERWRITE TABLE ads.user_device
SELECT l.uid, l.last_login, d.model
FROM @last l
LEFT JOIN @dev d ON d.uid = l.uid;
