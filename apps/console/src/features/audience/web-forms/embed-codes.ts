import type { webformTypes } from '@emma/contract/resources/webform.ts'
import type { FormLanguage } from '@emma/contract/web-forms/form-texts.ts'
import { escapeHtml, type PublicForm, renderForm } from '@emma/contract/web-forms/render-form.ts'

type Named = Pick<PublicForm, 'url' | 'name'>

/** The form where the script stands; a pop-up opens by itself. Visitors without script get a frame or a link. */
export function scriptTag(
  form: Named & { type: (typeof webformTypes)[number]; fields: readonly unknown[] },
): string {
  const link = `<a href="${escapeHtml(form.url)}">${escapeHtml(form.name)}</a>`
  const instead = form.type === 'popup' ? link : iframeTag(form)
  const script = `<script src="${escapeHtml(form.url)}.js" async></script><noscript>${instead}</noscript>`
  return form.type === 'popup' ? script : `${placeOf(form)}${script}`
}

/** The place of an inline form: about as high as the form, so that the page does not move when it is there. */
function placeOf({ url, fields }: { url: string; fields: readonly unknown[] }): string {
  const height = 200 + 82 * fields.length
  return `<div data-emma-form="${escapeHtml(url.split('/').at(-1) ?? '')}" style="min-height:${height}px"></div>`
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
