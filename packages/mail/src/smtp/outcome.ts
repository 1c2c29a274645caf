import { classifyReply, type ReplyVerdict, type SmtpPhase } from './classify-reply.ts'
import type { SmtpReply } from './reply.ts'
import type { ReplyClass } from './reply-rules.ts'

/** What became of one message, with the words to show for it. */
export interface SmtpOutcome extends ReplyVerdict {
  /** Null where no server answered. */
  code: number | null
  enhanced: string | null
  /** The server's words, or what happened to the connection. */
  text: string
  phase: SmtpPhase
}

export function replyOutcome({ code, enhanced, text }: SmtpReply, phase: SmtpPhase): SmtpOutcome {
  return { ...classifyReply({ code, enhanced, text, phase }), code, enhanced, text, phase }
}

/** An outcome nobody replied: `unknown` once the final dot may have left, otherwise to be tried again. */
export function lostOutcome(text: string, phase: SmtpPhase, dotMayBeSent: boolean): SmtpOutcome {
  return {
    outcome: dotMayBeSent ? 'unknown' : 'deferred',
    class: 'connection',
    hard: false,
    code: null,
    enhanced: null,
    text,
    phase,
  }
}

/** The outcome of a message that was not offered to this server, because it cannot take it. */
export function refusedOutcome(text: string, phase: SmtpPhase, reason: ReplyClass): SmtpOutcome {
  return { outcome: 'rejected', class: reason, hard: false, code: null, enhanced: null, text, phase }
}
