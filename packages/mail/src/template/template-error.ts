import type { MailFault, MailFaultCode, MailFaultValues } from '../mail-fault.ts'

/** Part of a message with a fault. MJML counts as `html`: marketers edit it there. */
export type Part = 'subject' | 'preheader' | 'html' | 'text'

/** A fault that prevents compilation, with a text for the author of the template. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly part: Part
  /** 1-based, in the original source. */
  readonly line: number
  /** 1-based, in UTF-16 units. */
  readonly column: number
  readonly fault: MailFault

  constructor(part: Part, line: number, column: number, fault: MailFault) {
    super(fault.message)
    this.fault = fault
    this.part = part
    this.line = line
    this.column = column
  }
}

/** All faults of a content, in the order of its parts, so that they can be fixed at once. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
  readonly errors: readonly TemplateError[]

  constructor(errors: readonly TemplateError[]) {
    super(
      errors
        .map(error => `${error.part}, line ${error.line}, column ${error.column}: ${error.message}`)
        .join('\n'),
    )
    this.errors = errors
  }
}

/** Thrown if one message could not be rendered (a limit was exceeded); the others of the campaign are unaffected. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly fault: MailFault

  constructor(fault: MailFault, options?: ErrorOptions) {
    super(fault.message, options)
    this.fault = fault
  }
}

/**
 * A finding to check before the campaign starts. `error` blocks the start, `warning` can be acknowledged; neither
 * prevents compilation and preview.
 */
export type Warning = {
  code: WarningCode
  severity: 'error' | 'warning'
  part: Part
  /** Code of the fault that `message` describes. */
  reason: MailFaultCode
  values: MailFaultValues
  message: string
  /** 1-based; missing if the position is not in the source (generated HTML, the message as a whole). */
  line?: number
  column?: number
}

export type WarningCode =
  | 'active-content'
  | 'attachment-gone'
  | 'attachments-too-large'
  | 'charset-lacks-characters'
  | 'empty-link'
  | 'empty-part'
  | 'empty-value'
  | 'foreign-placeholder'
  | 'heading-order'
  | 'unsupported-css'
  | 'html-too-large'
  | 'image-too-heavy'
  | 'image-without-alt'
  | 'insecure-link'
  | 'link-not-trackable'
  | 'low-contrast'
  | 'mail-too-large'
  | 'mandatory-module-missing'
  | 'mjml'
  | 'no-counted-section'
  | 'no-imprint'
  | 'no-subject'
  | 'no-unsubscribe'
  | 'relative-link'
  | 'spam-words'
  | 'styles-not-inlined'
  | 'unescaped-value'
  | 'unknown-placeholder'
  | 'unsupported-scheme'

/** Creates the warning of a fault. */
export function warningOf({
  code,
  values,
  message,
}: MailFault): Pick<Warning, 'reason' | 'values' | 'message'> {
  return { reason: code, values, message }
}

/** Returns line and column (1-based) of an offset. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset))
  const line = before.split('\n').length
  return { line, column: before.length - before.lastIndexOf('\n') }
}
