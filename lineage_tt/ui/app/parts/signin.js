/** Signing in: the token goes to the service once and comes back as a cookie that no script can read. */
import { signIn } from "../api.js";
import { html, useState } from "../lib.js";
import { t } from "../texts.js";

/** The form. */
export function SignIn() {
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const field = event.target.elements.token;
    setBusy(true);
    const answer = await signIn(field.value.trim());
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) field.select();
  };
  return html`<div class="page page-signin"><form class="card signin" onSubmit=${submit}>
    <h1>${t("signin.title")}</h1>
    <p id="signin-what">${t("signin.what")}</p>
    <label for="token">${t("signin.token")}</label>
    <input id="token" name="token" type="password" autocomplete="current-password" required aria-describedby="signin-what" aria-invalid=${problem ? "true" : "false"} autofocus />
    ${problem ? html`<p class="bad" role="alert">${problem.status === 401 ? t("signin.wrong") : `${problem.title}: ${problem.detail}`}</p>` : null}
    <button class="button primary" disabled=${busy}>${t("signin.do")}</button>
  </form></div>`;
}
