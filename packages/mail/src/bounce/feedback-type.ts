/** Effect of a feedback report (RFC 5965) on the recipient; `feedback` has none. */
export type FeedbackKind = 'complaint' | 'unsubscribe' | 'feedback'

/**
 * Returns the kind of a report by its feedback type. Only types that report abuse are complaints: `not-spam` revokes
 * one, and `auth-failure` and `dmarc` (RFC 6591) inform a domain owner about messages of others. Unregistered types
 * have no effect, because a complaint cannot be undone.
 */
export function feedbackKind(type: string): FeedbackKind {
  const name = type.trim().toLowerCase()
  if (COMPLAINTS.has(name)) return 'complaint'
  return OPT_OUTS.has(name) ? 'unsubscribe' : 'feedback'
}

/** RFC 5965, 7.3. Reporters omit the type for abuse only. */
const COMPLAINTS = new Set(['', 'abuse', 'fraud', 'virus', 'other'])

/** From the drafts of RFC 5965, and still sent. */
const OPT_OUTS = new Set(['opt-out', 'opt-out-list', 'unsubscribe'])
