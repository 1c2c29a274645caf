import { startRender } from './template/render-budget.ts'

/** Data of one recipient for a template. Built once per message; rendering does not change it. */
export interface MergeData {
  /** Typed columns of the member row. */
  member: Record<string, unknown>
  /** id, name. */
  campaign: Record<string, unknown>
  /** name, imprint and other client fields that templates may use. */
  client: Record<string, unknown>
  /** Token of the message for opens and clicks (see token.ts), base64url: safe in a URL path. */
  token: string
  /** Token of the message for unsubscribe, preferences and browser view. */
  pageToken: string
  /** Data of a transactional API call. */
  data?: Record<string, unknown>
}

/** A constant piece, or a slot that is rendered per recipient. */
export type Segment = string | ((data: MergeData) => string)

/**
 * A compiled template. Adjacent constants are merged, so that constants are encoded once (quoted-printable) and only
 * slots per recipient.
 */
export type Segments = readonly Segment[]

/**
 * Renders a compiled template for one recipient within the work limits. Missing values render as empty text.
 * @throws RenderError (template/template-error.ts) if the template exceeds its limits with this data
 */
export function renderSegments(segments: Segments, data: MergeData): string {
  startRender()
  return joinSegments(segments, data)
}

/** Renders segments as a part of a running render. */
export function joinSegments(segments: Segments, data: MergeData): string {
  let out = ''
  for (const segment of segments) out += typeof segment === 'string' ? segment : segment(data)
  return out
}

/** Merges adjacent constants and drops empty ones, without changing the output. */
export function mergeConstants(segments: Segments): Segments {
  const merged: Segment[] = []
  let constant = ''
  for (const segment of segments) {
    if (typeof segment === 'string') {
      constant += segment
      continue
    }
    if (constant !== '') merged.push(constant)
    constant = ''
    merged.push(segment)
  }
  if (constant !== '') merged.push(constant)
  return merged
}
