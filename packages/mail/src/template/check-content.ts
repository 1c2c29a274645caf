import { mailFault, type MailFault } from '../mail-fault.ts'
import type { Segments } from '../segments.ts'
import type { LinkName } from './check-variables.ts'
import type { Module } from './modules.ts'
import { type Warning, type WarningCode, warningOf } from './template-error.ts'

/** Properties of a message after all parts were assembled. */
export interface WholeMail {
  subject: string
  hasHtml: boolean
  /** True if the text was written by hand; generated text corresponds to the HTML. */
  hasOwnText: boolean
  html: { segments: Segments; ownLinks: ReadonlySet<LinkName>; source: string }
  text: { ownLinks: ReadonlySet<LinkName>; source: string }
  modules: readonly Module[]
  usedModules: ReadonlySet<string>
  showsBrandImprint: boolean
}

/** Gmail clips messages after this size of HTML, and with it the unsubscribe link at the end. */
const clippingBytes = 102 * 1024

/** Checks a whole message before a campaign starts. */
export function checkContent(mail: WholeMail): Warning[] {
  return [
    ...checkSubject(mail),
    ...checkParts(mail),
    ...checkUnsubscribe(mail),
    ...checkModules(mail),
    ...checkSize(mail),
  ]
}

function checkSubject({ subject }: WholeMail): Warning[] {
  return subject.trim() === ''
    ? [problem('no-subject', 'error', 'subject', mailFault('content.no_subject'))]
    : []
}

function checkParts({ hasHtml, hasOwnText }: WholeMail): Warning[] {
  if (hasHtml || hasOwnText) return []
  return [problem('empty-part', 'error', 'html', mailFault('content.no_content'))]
}

const UNSUBSCRIBE = '{{ link.unsubscribe }}'

function checkUnsubscribe({ hasHtml, hasOwnText, html, text }: WholeMail): Warning[] {
  const inMail = mailFault('content.no_unsubscribe', { example: UNSUBSCRIBE })
  if (hasHtml && !html.ownLinks.has('unsubscribe')) {
    return [problem('no-unsubscribe', 'error', 'html', inMail)]
  }
  if (!hasOwnText || text.ownLinks.has('unsubscribe')) return []
  return hasHtml
    ? [
        problem(
          'no-unsubscribe',
          'warning',
          'text',
          mailFault('content.text_no_unsubscribe', { example: UNSUBSCRIBE }),
        ),
      ]
    : [problem('no-unsubscribe', 'error', 'text', inMail)]
}

function checkModules({ modules, usedModules, html, text, showsBrandImprint }: WholeMail): Warning[] {
  const missing = modules.filter(module => module.isMandatory && !usedModules.has(module.name))
  const warnings = missing.map(({ name }) =>
    problem(
      'mandatory-module-missing',
      'error',
      'html',
      mailFault('content.module_mandatory', { name, example: `{{ module.${name} }}` }),
    ),
  )
  const names = [...usedModules].join(' ')
  const hasImprint = showsBrandImprint || [names, html.source, text.source].some(place => imprint.test(place))
  if (hasImprint || missing.length > 0 || modules.some(module => module.isMandatory)) return warnings
  return [...warnings, problem('no-imprint', 'warning', 'html', mailFault('content.no_imprint'))]
}

/** The word itself, a module with that name, or the client's fields. */
const imprint = /imprint|impressum|aviso[\s_-]legal|legal[\s_-]notice|client\.(?:imprint|address)/i

function checkSize({ hasHtml, html }: WholeMail): Warning[] {
  if (!hasHtml) return []
  const bytes = html.segments.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : 0),
    0,
  )
  if (bytes <= clippingBytes) return []
  const size = `${Math.ceil(bytes / 1024)} kB`
  return [problem('html-too-large', 'warning', 'html', mailFault('content.html_large', { size }))]
}

function problem(
  code: WarningCode,
  severity: Warning['severity'],
  part: Warning['part'],
  fault: MailFault,
): Warning {
  return { code, severity, part, ...warningOf(fault) }
}
