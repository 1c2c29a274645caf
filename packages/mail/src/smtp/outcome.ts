import { classifyReply, type ReplyVerdict, type SmtpPhase } from './classify-reply.ts'
import type { SmtpReply } from './reply.ts'
import type { ReplyClass } from './reply-rules.ts'

/** Outcome of one message, with the text to show for it. */
export interface SmtpOutcome extends ReplyVerdict {
  /** Null if no server replied. */
  code: number | null
  enhanced: string | null
  /** Text of the server's reply, or what happened to the connection. */
  text: string
  phase: SmtpPhase
}

export function replyOutcome({ code, enhanced, text }: SmtpReply, phase: SmtpPhase): SmtpOutcome {
  return { ...classifyReply({ code, enhanced, text, phase }), code, enhanced, text, phase }
}

/** Outcome after a lost connection: `unknown` once the final dot may have been sent, otherwise deferred. */
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

/** Outcome of a message that was not sent because the server cannot accept it. */
export function refusedOutcome(text: string, phase: SmtpPhase, reason: ReplyClass): SmtpOutcome {
  return { outcome: 'rejected', class: reason, hard: false, code: null, enhanced: null, text, phase }
}
