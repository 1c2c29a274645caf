import { startRender } from './template/render-budget.ts'

/** What one recipient brings into a template. Built once per mail, never changed by rendering. */
export interface MergeData {
  /** Typed columns of the member row. */
  member: Record<string, unknown>
  /** id, name. */
  campaign: Record<string, unknown>
  /** name, imprint and the other client fields templates may show. */
  client: Record<string, unknown>
  /** The mail's token for opens and clicks (see token.ts), base64url: safe in a URL path as it stands. */
  token: string
  /** The mail's token for unsubscribe, preferences and browser view. */
  pageToken: string
  /** What a transactional call brought along. */
  data?: Record<string, unknown>
}

/** A piece that is the same for all recipients, or a slot that is rendered per recipient. */
export type Segment = string | ((data: MergeData) => string)

/**
 * A template compiled once per campaign. Neighbouring constants are merged, so the constant pieces can be
 * encoded once (quoted-printable) and only the slots are encoded per recipient.
 */
export type Segments = readonly Segment[]

/**
 * Renders a compiled template for one recipient, with a budget of work of its own. Missing values render empty.
 * @throws RenderError (template/template-error.ts) when the template exceeds its limits with this data
 */
export function renderSegments(segments: Segments, data: MergeData): string {
  startRender()
  return joinSegments(segments, data)
}

/** Renders a part of a render that has begun. */
export function joinSegments(segments: Segments, data: MergeData): string {
  let out = ''
  for (const segment of segments) out += typeof segment === 'string' ? segment : segment(data)
  return out
}

/** Joins neighbouring constants and drops empty ones, without changing what is rendered. */
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
