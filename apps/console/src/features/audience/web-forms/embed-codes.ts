import type { FormLanguage } from '@emma/contract/web-forms/form-texts.ts'
import { escapeHtml, type PublicForm, renderForm } from '@emma/contract/web-forms/render-form.ts'

type Named = Pick<PublicForm, 'url' | 'name'>

/** The form where the script stands; a pop-up opens by itself. */
export function scriptTag({ url }: Named): string {
  return `<script src="${escapeHtml(url)}.js" async></script>`
}

export function iframeTag({ url, name }: Named): string {
  return `<iframe src="${escapeHtml(url)}" title="${escapeHtml(name)}" width="100%" height="640" style="border:0"></iframe>`
}

/** The form itself, to be styled by the website. EMMA asks visitors to check and send it once more. */
export function plainForm(form: PublicForm, lang: FormLanguage): string {
  return renderForm(form, lang)
    .split('\n')
    .filter(line => line.trim() !== '' && !line.includes('name="_start"'))
    .join('\n')
}
