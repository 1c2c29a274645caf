import { ApiError } from '@emma/client/api-error.ts'
import { exists, t } from 'i18next'

/** The server's words for a faulty field, and our text for them; named groups are filled in. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^(?:is required|must not be empty|is empty, but required|needs a (?:value|text))$/, 'required'],
  [/^(?:is no(?:t an)? e-mail address|Invalid email address)$/, 'email'],
  [/^(?:is not a domain(?: name)?|takes no mail)$/, 'domain'],
  [/^(?:is not a|must be a) web address/, 'url'],
  [/^must begin with https:/, 'https'],
  [/^(?:is not a date|must be a date|Invalid ISO date\b)/, 'date'],
  [/^(?:is not a time zone)$/, 'timezone'],
  [/^(?:is not a time|Invalid ISO datetime|is neither a date)/, 'time'],
  [/^must be in the future$/, 'future'],
  [/^must be after the start$/, 'after_start'],
  [/^(?:must be|is not) a whole number/, 'whole_number'],
  [/^(?:must be number, not \w+|(?:is not|must be) a number|must be int, not \w+)$/, 'number'],
  [/^is too large a number$/, 'number_too_large'],
  [/^(?:must be string, not \w+|must be a text)$/, 'text'],
  [/^(?:must be boolean, not \w+|must be true or false|is neither yes nor no)$/, 'yes_no'],
  [/^Too big: expected string to have <=(?<max>\d+) characters$/, 'too_long'],
  [/^is longer than (?<max>\d+) characters$/, 'too_long'],
  [/^Too small: expected string to have >=(?<min>\d+) characters$/, 'too_short'],
  [/^needs at least (?<min>\d+) characters$/, 'too_short'],
  [/^must have (?<min>\d+) to (?<max>\d+) characters$/, 'length'],
  [/^Too big: expected number to be <=(?<max>-?[\d.]+)$/, 'too_high'],
  [/^Too small: expected number to be (?:>=|>)(?<min>-?[\d.]+)$/, 'too_low'],
  [/^Too big: expected array to have <=(?<max>\d+) items$/, 'too_many_items'],
  [/^(?:Too small: expected array|needs at least one value)/, 'too_few_items'],
  [/^needs two values$/, 'two_values'],
  [/^Invalid (?:option|input): expected (?:one of )?"/, 'option'],
  [/^(?:does not exist|is not there|unknown: .+|is no column of this datasource)$/, 'gone'],
  [/^(?:exists already|is there already|is taken)$/, 'taken'],
  [/^is not known here$/, 'unknown'],
  [/^cannot be changed/, 'fixed'],
  [/^must not contain control characters or line breaks$/, 'one_line'],
  [/^(?:must not contain NUL or broken characters|has (?:a NUL character|broken characters))$/, 'broken'],
  [/^may hold letters and single underscores only$/, 'letters'],
  [/^must begin with a letter and hold/, 'name'],
  [/^is nested too deeply/, 'too_deep'],
  [/^is suppressed: /, 'suppressed'],
  [/^is used or too old$/, 'link_used'],
]

/** Errors that no field carries, by their wording; what follows a code of the table is for programs. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/^Still in use by (?<names>.+)$/, 'in_use'],
  [/^Still in use$/, 'in_use_somewhere'],
  [/^Too large$/, 'too_large'],
  [/^Unsupported media type$/, 'unsupported_media'],
  [/^Conflict$|^The campaign has just been moved by somebody else\.$/, 'conflict'],
  [/^Not possible in this state$/, 'wrong_state'],
  [/^While a campaign is paused, only its speed can be changed\.$/, 'paused_campaign'],
  [/^A campaign that is being sent cannot be deleted\. Stop it first\.$/, 'running_campaign'],
  [/^A campaign that has been started cannot be changed any more\.$/, 'started_campaign'],
  [/^The upload has ended already$/, 'upload_ended'],
  [/^The import is running: cancel it first$/, 'upload_running'],
  [/^An import that is running or finished cannot be changed$/, 'upload_fixed'],
  [/^There is no domain to send the test from\. Set one up first\.$/, 'no_domain'],
  [/^There is no mail class to send the test with\. Make one first\.$/, 'no_mailclass'],
  [/^The link is used or too old\. Ask for a new one\.$/, 'link_used'],
  [/^Nobody can remove the own account\.$/, 'own_account'],
  [/^Invalid input$/, 'invalid'],
  [/^Bad request$/, 'bad_request'],
]

/** What the server says of a field, in the person's language; as it came where the console knows no words for it. */
export function translateFault(message: string): string {
  return translated(faults, 'faults', message) ?? message
}

/** A refusal in the person's language, faulty fields with what is wrong with each; null for what is not known. */
export function translateError(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  const refusal = translated(refusals, 'refusals', error.message)
  if (refusal !== null || error.fields.length === 0) return refusal
  const texts = error.fields.map(({ field, message }) => ({ field, message, text: translateFault(message) }))
  if (texts.every(({ text, message }) => text === message)) return null
  return texts.map(({ field, text }) => `${field}: ${text}`).join('; ')
}

/** The texts are among those of the features: on the login page the server's own words stand. */
function translated(
  wordings: readonly (readonly [RegExp, string])[],
  group: 'faults' | 'refusals',
  message: string,
): string | null {
  for (const [pattern, name] of wordings) {
    const found = pattern.exec(message)
    const key = `${group}.${name}`
    if (found && exists(key)) return t(key, { ...found.groups })
  }
  return null
}
