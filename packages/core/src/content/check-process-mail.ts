import { fieldError, type FieldError } from '@emma/contract/errors.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { isPage, processLinks } from '@emma/contract/resources/pmt.ts'
import { linkNames } from '@emma/mail/template/check-variables.ts'
import { insertedModules, type Module } from '@emma/mail/template/modules.ts'
import { scanLiquid } from '@emma/mail/template/scan-liquid.ts'
import { systemLinks } from '@emma/mail/template/system-links.ts'
import type { Warning, WarningCode } from '@emma/mail/template/template-error.ts'

/**
 * Faults of a process mail that compiles: no subject, links that are missing or lead nowhere, feeds.
 * @param modules the client's, as they may hold links and feeds
 */
export function checkProcessMail(
  mail: ProcessMailContent,
  modules: readonly Pick<Module, 'name' | 'type' | 'body'>[],
): FieldError[] {
  const { process, subject, body_long, body_text } = mail
  const hasText = !isPage(process) && (body_text ?? '').trim() !== ''
  return [
    ...(isPage(process) || subject?.trim() ? [] : [fieldError('subject', 'field.required')]),
    ...linkFaults(mail, 'body_long', body_long, modules),
    ...(hasText ? linkFaults(mail, 'body_text', body_text ?? '', modules) : []),
    ...feedFaults('subject', isPage(process) ? '' : (subject ?? ''), modules),
    ...feedFaults('body_long', body_long, modules),
    ...(hasText ? feedFaults('body_text', body_text ?? '', modules) : []),
  ]
}

/** Feeds and data are fetched when a campaign starts, which the campaigns of process mails do once. */
function feedFaults(
  field: 'subject' | 'body_long' | 'body_text',
  text: string,
  modules: readonly Pick<Module, 'name' | 'type' | 'body'>[],
): FieldError[] {
  const names = insertedModules([text], modules)
  return modules
    .filter(({ name, type }) => (type === 'feed' || type === 'data') && names.has(name))
    .map(({ name }) => fieldError(field, 'field.feed_in_process', { placeholder: name }))
}

function linkFaults(
  { process, lang }: ProcessMailContent,
  field: 'body_long' | 'body_text',
  body: string,
  modules: readonly Pick<Module, 'name' | 'type' | 'body'>[],
): FieldError[] {
  const { required, possible } = processLinks[process]
  const inserted = modules.filter(({ name }) => body.includes(`module.${name}`))
  const source = [body, ...inserted.map(module => bodyOf(module, lang))].join('\n')
  const links = systemLinks(scanLiquid(source))
  const fit = new Set<string>([...required, ...possible])
  return [
    ...required
      .filter(link => !links.has(link))
      .map(link => fieldError(field, 'field.link_missing', { link: `{{ link.${link} }}` })),
    ...linkNames
      .filter(link => links.has(link) && !fit.has(link))
      .map(link => fieldError(field, 'field.link_unfit', { link: `{{ link.${link} }}` })),
  ]
}

function bodyOf({ body }: Pick<Module, 'body'>, lang: string): string {
  return typeof body === 'string' ? body : (body[lang] ?? body['en'] ?? '')
}

/** Findings of a campaign's template that do not apply: a process has its own rules for links. */
const notOfMails = new Set<WarningCode>(['no-subject', 'no-unsubscribe', 'mandatory-module-missing'])
/** Findings about mail programs, which show no pages. */
const notOfPages = new Set<WarningCode>([
  ...notOfMails,
  'no-imprint',
  'html-too-large',
  'spam-words',
  'styles-not-inlined',
])

/** The warnings of a rendered template that apply to a process mail. */
export function warningsOfProcess(
  { process }: Pick<ProcessMailContent, 'process'>,
  warnings: readonly Warning[],
): Warning[] {
  const left = isPage(process) ? notOfPages : notOfMails
  return warnings.filter(
    ({ code, values }) =>
      !left.has(code) && !(isPage(process) && code === 'active-content' && values['tag'] === 'form'),
  )
}

/** A process mail as the fields of a message: without tracking, and without subject and text on pages. */
export function messageOfProcess({ process, subject, body_long, body_text, lang }: ProcessMailContent) {
  const parts = isPage(process) ? {} : { subject, body_text }
  return { ...parts, body_long, lang, is_tracked: false }
}
