/** What a feedback report (RFC 5965) is for the person it is about; `feedback` has no effect. */
export type FeedbackKind = 'complaint' | 'unsubscribe' | 'feedback'

/**
 * The kind of a report by its feedback type. Only reports that blame the mail are complaints; `not-spam` takes one back, and
 * `auth-failure` and `dmarc` (RFC 6591) tell the sender's domain about somebody else's mail. Types that nobody has
 * registered have no effect: a complaint cannot be taken back.
 */
export function feedbackKind(type: string): FeedbackKind {
  const name = type.trim().toLowerCase()
  if (COMPLAINTS.has(name)) return 'complaint'
  return OPT_OUTS.has(name) ? 'unsubscribe' : 'feedback'
}

/** RFC 5965, 7.3; without a type a report is one about abuse, the only kind reporters leave it out for. */
const COMPLAINTS = new Set(['', 'abuse', 'fraud', 'virus', 'other'])

/** Of the drafts before RFC 5965; reporters still send them. */
const OPT_OUTS = new Set(['opt-out', 'opt-out-list', 'unsubscribe'])
