import { mailFault, type MailFault } from '../mail-fault.ts'
import { findCharset, lackingCharacters } from '../mime/charset.ts'
import type { Segments } from '../segments.ts'
import type { AttachedSizes, ImageSizes } from './content-source.ts'
import type { LinkName } from './check-variables.ts'
import { decodeEntities } from './html-entities.ts'
import type { Module } from './modules.ts'
import { findSpamPhrases, isInCapitals, repeatedMarks } from './spam-phrases.ts'
import { stripHtml } from './strip-html.ts'
import { placeOf, type Warning, type WarningCode, warningOf } from './template-error.ts'

/** Properties of a message after all parts were assembled. */
export interface WholeMail {
  subject: string
  hasHtml: boolean
  /** True if the text was written by hand; generated text corresponds to the HTML. */
  hasOwnText: boolean
  html: { segments: Segments; ownLinks: ReadonlySet<LinkName>; source: string }
  text: { segments: Segments; ownLinks: ReadonlySet<LinkName>; source: string }
  modules: readonly Module[]
  usedModules: ReadonlySet<string>
  charset: string
  attachments?: AttachedSizes
  images?: ImageSizes
  /** The MJML or HTML as edited. */
  edited: string
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
    ...checkCharset(mail),
    ...checkAttachments(mail),
    ...checkImages(mail),
    ...checkSpamPhrases(mail),
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
  const missing = modules.filter(
    module => module.isMandatory && module.type !== 'data' && !usedModules.has(module.name),
  )
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
  const bytes = constantBytes(html.segments)
  if (bytes <= clippingBytes) return []
  const size = `${Math.ceil(bytes / 1024)} kB`
  return [problem('html-too-large', 'warning', 'html', mailFault('content.html_large', { size }))]
}

function constantBytes(segments: Segments): number {
  return segments.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : 0), 0)
}

function checkCharset({ charset: name, subject, html, text }: WholeMail): Warning[] {
  const charset = findCharset(name)
  if (charset === null) return []
  const constants = [...html.segments, ...text.segments].filter(piece => typeof piece === 'string')
  const characters = lackingCharacters(charset, [subject, ...constants].join('\n'), 8).join(' ')
  if (characters === '') return []
  const fault = mailFault('content.charset_lacks', { charset: name, characters })
  return [problem('charset-lacks-characters', 'warning', 'html', fault)]
}

function checkAttachments({ attachments, html, text }: WholeMail): Warning[] {
  if (!attachments || attachments.files.length === 0) return []
  const { files, totalBytes, warnedMailBytes } = attachments
  const gone = files
    .filter(({ size }) => size === null)
    .map(({ name }) =>
      problem('attachment-gone', 'error', 'html', mailFault('content.attachment_gone', { name })),
    )
  const bytes = files.reduce((sum, { size }) => sum + (size ?? 0), 0)
  if (bytes > totalBytes) {
    const fault = mailFault('content.attachments_large', {
      size: megabytes(bytes),
      max: megabytes(totalBytes),
    })
    return [...gone, problem('attachments-too-large', 'error', 'html', fault)]
  }
  const whole = constantBytes(html.segments) + constantBytes(text.segments) + (bytes * 4) / 3
  if (whole <= warnedMailBytes) return gone
  const fault = mailFault('content.mail_large', { size: megabytes(whole), max: megabytes(warnedMailBytes) })
  return [...gone, problem('mail-too-large', 'warning', 'html', fault)]
}

/** Mail clients on phones show a heavy image late, or never. */
function checkImages({ images, edited }: WholeMail): Warning[] {
  if (!images) return []
  const { files, heavyBytes } = images
  return files
    .filter(({ path, size }) => size > heavyBytes && edited.includes(path))
    .map(({ path, name, size }) => ({
      ...problem(
        'image-too-heavy',
        'warning',
        'html',
        mailFault('content.image_heavy', {
          picture: name,
          size: megabytes(size),
          max: megabytes(heavyBytes),
        }),
      ),
      ...placeOf(edited, edited.indexOf(path)),
    }))
}

/** Filters weigh words less than the sender's reputation: a hint at most. */
function checkSpamPhrases({ subject, hasHtml, html, text, edited }: WholeMail): Warning[] {
  const marks = repeatedMarks(subject)
  const body = decodeEntities(stripHtml(hasHtml ? html.source : text.source))
  const hint = (part: Warning['part'], fault: MailFault) => problem('spam-words', 'warning', part, fault)
  const words = (part: Warning['part'], found: readonly string[]) => {
    const [first] = found
    if (first === undefined) return []
    const at = part === 'subject' ? -1 : edited.indexOf(first)
    const finding = hint(part, mailFault('content.spam_words', { words: found.map(quoted).join(', ') }))
    return [at < 0 ? finding : { ...finding, ...placeOf(edited, at) }]
  }
  return [
    ...(isInCapitals(subject) ? [hint('subject', mailFault('content.subject_capitals'))] : []),
    ...(marks === null
      ? []
      : [hint('subject', mailFault('content.subject_marks', { marks: quoted(marks) }))]),
    ...words('subject', findSpamPhrases(subject)),
    ...words(hasHtml ? 'html' : 'text', findSpamPhrases(body)),
  ]
}

function quoted(text: string): string {
  return `"${text}"`
}

function megabytes(bytes: number): string {
  return `${(Math.ceil(bytes / 100_000) / 10).toFixed(1)} MB`
}

function problem(
  code: WarningCode,
  severity: Warning['severity'],
  part: Warning['part'],
  fault: MailFault,
): Warning {
  return { code, severity, part, ...warningOf(fault) }
}
