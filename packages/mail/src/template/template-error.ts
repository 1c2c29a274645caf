import type { MailFault, MailFaultCode, MailFaultValues } from '../mail-fault.ts'

/** The part of a mail a fault is in. MJML counts as `html`: it is what the marketer edits there. */
export type Part = 'subject' | 'preheader' | 'html' | 'text'

/** A fault that keeps a template from being compiled, in words for the person who wrote the template. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly part: Part
  /** 1-based, in the source as it was given. */
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

/** All faults found in one content, in the order of its parts: nobody should have to fix them one by one. */
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

/** One mail could not be rendered (a limit was exceeded); the others of the campaign are not touched by it. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  readonly fault: MailFault

  constructor(fault: MailFault, options?: ErrorOptions) {
    super(fault.message, options)
    this.fault = fault
  }
}

/**
 * Something a person should look at before the campaign starts. `error` blocks the start, `warning` is ticked off;
 * neither keeps the content from being compiled and previewed.
 */
export interface Warning {
  code: WarningCode
  severity: 'error' | 'warning'
  part: Part
  /** What `message` says, as data; `code` is the kind of it. */
  reason: MailFaultCode
  values: MailFaultValues
  message: string
  /** 1-based; missing where the place is not in the source (generated HTML, the mail as a whole). */
  line?: number
  column?: number
}

export type WarningCode =
  | 'active-content'
  | 'empty-link'
  | 'empty-part'
  | 'empty-value'
  | 'foreign-placeholder'
  | 'html-too-large'
  | 'image-without-alt'
  | 'insecure-link'
  | 'link-not-trackable'
  | 'mandatory-module-missing'
  | 'mjml'
  | 'no-imprint'
  | 'no-subject'
  | 'no-unsubscribe'
  | 'relative-link'
  | 'styles-not-inlined'
  | 'unescaped-value'
  | 'unknown-placeholder'
  | 'unsupported-scheme'

/** How a warning tells of a fault. */
export function warningOf({
  code,
  values,
  message,
}: MailFault): Pick<Warning, 'reason' | 'values' | 'message'> {
  return { reason: code, values, message }
}

/** Line and column (1-based) of an offset in a text. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset))
  const line = before.split('\n').length
  return { line, column: before.length - before.lastIndexOf('\n') }
}
