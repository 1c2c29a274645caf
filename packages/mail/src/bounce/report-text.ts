import { convert } from 'html-to-text'
import type { MimeEntity } from './mime-entity.ts'

export interface ReportText {
  /** Decoded text of the mail system, without the original message. */
  text: string
  /** The rest: the quoted original. */
  quoted: string
}

const MAX_REPORT = 64 * 1024

/** Collects the readable text of a report, without attached messages, split where the original is quoted. */
export function readReportText(report: MimeEntity): ReportText {
  const texts: string[] = []
  const pages: string[] = []
  collect(report, texts, pages)
  const plain = texts.join('\n\n').trim()
  const whole = plain === '' ? pagesToText(pages) : plain
  const cut = findOriginalStart(whole)
  return { text: whole.slice(0, Math.min(cut, MAX_REPORT)), quoted: whole.slice(cut) }
}

function collect(entity: MimeEntity, texts: string[], pages: string[]): void {
  if (entity.type === 'text/html') pages.push(entity.text)
  else if (entity.type === 'text/plain' || entity.type.startsWith('multipart/')) texts.push(entity.text)
  if (!entity.type.startsWith('multipart/')) return
  for (const child of entity.children) collect(child, texts, pages)
}

/**
 * Converts the HTML parts up to the size limit of one report: the library takes quadratic time for unclosed elements.
 */
function pagesToText(pages: readonly string[]): string {
  const texts: string[] = []
  let left = MAX_REPORT
  for (const page of pages) {
    if (left <= 0) break
    texts.push(pageToText(page.slice(0, left)))
    left -= page.length
  }
  return texts.join('\n\n')
}

function pageToText(html: string): string {
  return convert(html, {
    wordwrap: false,
    limits: { maxDepth: 100 },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
    ],
  })
}

/**
 * Start of the original: a line that announces it, or a header block that cannot belong to the report. Each mail
 * system words the line differently, but all mention the message, its text or its header.
 */
function findOriginalStart(text: string): number {
  const starts = [ANNOUNCED_BY_RULE, ANNOUNCED_IN_WORDS, ANNOUNCED_ABROAD, HEADER_BLOCK].map(pattern =>
    text.search(pattern),
  )
  return Math.min(text.length, ...starts.filter(start => start > 0))
}

const ANNOUNCED_BY_RULE =
  /^[ \t>|]*[-=_*+#]{2}.*\b(?:original(?! recipient)|returned|copy|headers?|body|undelivered|unsent|message text|text of|forwarded message)\b.*$/im
const ANNOUNCED_IN_WORDS =
  /^[ \t]*(?:(?:the |your )?(?:original|returned) (?:message|mail)s?(?: headers?| text| details)?(?: follows?| below| attached)?[.:]*|message (?:headers?|body|text) follows?.{0,20}|.{0,60}copy of (?:the|your) (?:original )?(?:message|mail).{0,60}|(?:the )?(?:text|headers?|body) of (?:the|your) (?:original )?(?:message|mail).{0,40}|below (?:this line|is|are) .{0,40}(?:message|mail|header).{0,40}|unsent message.{0,20})[ \t]*$/im
const ANNOUNCED_ABROAD =
  /^[ \t>]*[-=_*]{0,40} ?(?:originalnachricht|ursprüngliche (?:nachricht|e-?mail)|message (?:d['’]origine|original)|mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|oryginalna wiadomość|původní zpráva|исходное (?:сообщение|письмо)|原邮件(?:内容)?|原始郵件|元のメッセージ|オリジナルメッセージ|원본 메시지) ?:?[-=_* ]{0,40}$/im
const HEADER_BLOCK =
  /(?<=\n(?:[ \t]*|[-=_*]{3,})\n)(?:> ?)?(?:Return-Path|Received|DKIM-Signature|Message-ID|X-[\w-]+): .*\n(?:> ?)?(?:[ \t]|[\w-]+: )/i
