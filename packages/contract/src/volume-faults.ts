/** Warnings of the volume calculator. Braces contain names of values; times are ISO 8601. */
export const volumeFaults = {
  warmup_waits:
    'The warm-up of the mail class {mailclass} allows {left} more emails on {date}. The rest waits for the following days.',
  warmup_overflow:
    'The warm-up of the mail class {mailclass} allows {left} more emails on {date}. The rest is sent with the mail class {overflow}.',
  domain_warmup:
    'The warm-up of the domain {domain} allows {left} more emails on {date}. The rest waits for the following days.',
  quarantine: 'The mail class {mailclass} is in quarantine until {time}.',
  back_off: '{provider} gets no emails from the mail class {mailclass} until {time}.',
  shared: 'Running campaigns with the same limits: {campaigns}. They share the limits, so it takes longer.',
  local_time: 'Sending at hours of the recipients can take up to a day longer.',
  beyond: 'With these limits it takes more than a year.',
} as const
