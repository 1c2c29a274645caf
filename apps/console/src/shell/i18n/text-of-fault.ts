import { exists, t } from 'i18next'

/** A fault as sent by the server; `message` is English. */
export interface WireFault {
  code?: string | null | undefined
  values?: Readonly<Record<string, unknown>> | null | undefined
  message: string
}

/** Text group of each area of codes: `content.near` is `content_faults.near`. */
const groups: Readonly<Record<string, string>> = {
  address: 'address_faults',
  beefree: 'beefree_faults',
  campaign: 'reasons',
  cell: 'cell_faults',
  content: 'content_faults',
  feed: 'feed_faults',
  field: 'faults',
  file: 'file_faults',
  imap: 'imap_faults',
  import: 'import_faults',
  mail: 'reasons',
  refusal: 'refusals',
  sign_in: 'sign_in_faults',
  upload: 'upload_faults',
  volume: 'volume_faults',
}

/** Text key of a code; null if the console does not know the area. */
export function textKey(code: string): string | null {
  const [area = '', name = ''] = code.split('.')
  const group = groups[area]
  return group === undefined ? null : `${group}.${name}`
}

/** Translates a fault; falls back to the English message if there is no text for its code. */
export function textOfFault(fault: WireFault): string {
  return translateFault(fault) ?? fault.message
}

/** Translates a fault; null if there is no text for its code. */
export function translateFault({ code, values }: WireFault): string | null {
  const key = code ? textKey(code) : null
  return key === null || !exists(key) ? null : t(key, translateValues(values ?? {}))
}

/** Translates the faults and parts among the values of a fault. */
export function translateValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      name === 'part' ? partName(value) : translateValue(value),
    ]),
  )
}

function translateValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(translateValue).join('\n')
  return isFault(value) ? textOfFault(value) : value
}

/** Name of the part of an email that has the fault, as in the editor. */
function partName(part: unknown): unknown {
  const key = `reasons.parts.${String(part)}`
  return exists(key) ? t(key) : part
}

export function isFault(value: unknown): value is WireFault {
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  )
}
