import { ApiError } from '@emma/client/api-error.ts'
import { translateUploadFault, uploadLanguages, type UploadLanguage } from '@emma/contract/upload-faults.ts'
import i18next, { exists, t } from 'i18next'
import { textOfFault } from './text-of-fault.ts'

/** Patterns of the server's field errors and the keys of their translations; named groups become values. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^(?:is required|must not be empty|is empty, but required|needs a (?:value|text))$/, 'faults.required'],
  [/^(?:is no(?:t an)? e-mail address|Invalid email address)$/, 'faults.email'],
  [/^(?:is not a domain(?: name)?|takes no mail)$/, 'faults.domain'],
  [/^(?:is not a|must be a) web address/, 'faults.url'],
  [/^must begin with https:/, 'faults.https'],
  [/^(?:is not a date|must be a date|Invalid ISO date\b)/, 'faults.date'],
  [/^(?:is not a time zone)$/, 'faults.timezone'],
  [/^(?:is not a time|Invalid ISO datetime|is neither a date)/, 'faults.time'],
  [/^must be in the future$/, 'faults.future'],
  [/^must be after the start$/, 'faults.after_start'],
  [/^(?:must be|is not) a whole number/, 'faults.whole_number'],
  [/^(?:must be number, not \w+|(?:is not|must be) a number|must be int, not \w+)$/, 'faults.number'],
  [/^is too large a number$/, 'faults.number_too_large'],
  [/^(?:must be string, not \w+|must be a text)$/, 'faults.text'],
  [/^(?:must be boolean, not \w+|must be true or false|is neither yes nor no)$/, 'faults.yes_no'],
  [/^Too big: expected string to have <=(?<max>\d+) characters$/, 'faults.too_long'],
  [/^is longer than (?<max>\d+) characters$/, 'faults.too_long'],
  [/^Too small: expected string to have >=(?<min>\d+) characters$/, 'faults.too_short'],
  [/^needs at least (?<min>\d+) characters$/, 'faults.too_short'],
  [/^must have (?<min>\d+) to (?<max>\d+) characters$/, 'faults.length'],
  [/^Too big: expected number to be <=(?<max>-?[\d.]+)$/, 'faults.too_high'],
  [/^Too small: expected number to be (?:>=|>)(?<min>-?[\d.]+)$/, 'faults.too_low'],
  [/^Too big: expected array to have <=(?<max>\d+) items$/, 'faults.too_many_items'],
  [/^(?:Too small: expected array|needs at least one value)/, 'faults.too_few_items'],
  [/^needs two values$/, 'faults.two_values'],
  [/^Invalid (?:option|input): expected (?:one of )?"/, 'faults.option'],
  [/^(?:does not exist|is not there|unknown: .+|is no column of this datasource)$/, 'faults.gone'],
  [/^(?:exists already|is there already|is taken)$/, 'faults.taken'],
  [/^is not known here$/, 'faults.unknown'],
  [/^cannot be changed/, 'faults.fixed'],
  [/^is not a public mail server; /, 'faults.relay_host'],
  [/^is not a port of mail servers; /, 'faults.relay_port'],
  [/^is not allotted to this client; /, 'faults.not_allotted'],
  [/^must be entered again, because /, 'faults.secret_again'],
  [/^must not contain control characters or line breaks$/, 'faults.one_line'],
  [
    /^(?:must not contain NUL or broken characters|has (?:a NUL character|broken characters))$/,
    'faults.broken',
  ],
  [/^may hold letters and single underscores only$/, 'faults.letters'],
  [/^must begin with a letter and hold/, 'faults.name'],
  [/^is nested too deeply/, 'faults.too_deep'],
  [/^is suppressed: /, 'faults.suppressed'],
  [/^is used or too old$/, 'faults.link_used'],
  [/^is not the current password$/, 'faults.present_password'],
  [/^is changed in your own account, with the current password$/, 'faults.own_credentials'],
  [/^is not the code of the app$/, 'faults.app_code'],
  [/^you do not hold: /, 'faults.rights'],
  [/^does not answer as an OpenID Connect provider$/, 'faults.issuer'],
]

/** Patterns of errors that belong to no field. Errors whose code is in the contract's table are not matched here. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/^Still in use by the running import or undo of (?<names>"[^"]*")$/, 'refusals.in_use_by_upload'],
  [/^Still in use by (?<names>.+)$/, 'refusals.in_use'],
  [/^Still in use$/, 'refusals.in_use_somewhere'],
  [/^Too large$/, 'refusals.too_large'],
  [/^Unsupported media type$/, 'refusals.unsupported_media'],
  [/^Conflict$|^The campaign has just been moved by somebody else\.$/, 'refusals.conflict'],
  [/^Not possible in this state$/, 'refusals.wrong_state'],
  [/^System email is switched off\./, 'refusals.mail_off'],
  [/^While a campaign is paused, only its speed can be changed\.$/, 'refusals.paused_campaign'],
  [/^A campaign that is being sent cannot be deleted\. Stop it first\.$/, 'refusals.running_campaign'],
  [/^A campaign that has been started cannot be changed any more\.$/, 'refusals.started_campaign'],
  [/^The upload has ended already$/, 'refusals.upload_ended'],
  [/^The import is running: cancel it first$/, 'refusals.upload_running'],
  [/^The import is being undone: wait until that is done$/, 'refusals.upload_undo_running'],
  [/^An import that is running or finished cannot be changed$/, 'refusals.upload_fixed'],
  [/^There is no domain to send the test from\. Set one up first\.$/, 'refusals.no_domain'],
  [/^There is no mail class to send the test with\. Make one first\.$/, 'refusals.no_mailclass'],
  [/^The link is used or too old\. Ask for a new one\.$/, 'refusals.link_used'],
  [/^The link is used or too old\. Change the address again\.$/, 'refusals.email_link_used'],
  [/^You cannot delete your own account\.$/, 'refusals.own_account'],
  [/^Invalid input$/, 'refusals.invalid'],
  [/^Bad request$/, 'refusals.bad_request'],
]

/** Translates an import's error about a file or a row. */
export function translateReason(reason: string): string {
  return translateUploadFault(reason, uploadLanguage()) ?? reason
}

/** The user's language if imports support it, else English. */
export function uploadLanguage(): UploadLanguage {
  return uploadLanguages.find(language => i18next.language?.startsWith(language)) ?? 'en'
}

/** Translates a field error of the server; returns the original if there is no translation. */
export function translateFault(message: string): string {
  return translated(faults, message) ?? translateUploadFault(message, uploadLanguage()) ?? message
}

/** Translates a rejected call, including its field errors; null if there is no translation. */
export function translateError(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.fault) return textOfFault(error.fault)
  const refusal = translated(refusals, error.message) ?? translateUploadFault(error.message, uploadLanguage())
  if (refusal !== null || error.fields.length === 0) return refusal
  const texts = error.fields.map(({ field, code, values, message }) => ({
    field,
    message,
    text: code ? textOfFault({ code, values, message }) : translateFault(message),
  }))
  if (texts.every(({ text, message }) => text === message)) return null
  return texts.map(({ field, text }) => `${field}: ${text}`).join('; ')
}

/** Translations are texts of features: on the login page, where they are not loaded, the server's message is shown. */
function translated(wordings: readonly (readonly [RegExp, string])[], message: string): string | null {
  for (const [pattern, key] of wordings) {
    const found = pattern.exec(message)
    if (found && exists(key)) return t(key, { ...found.groups })
  }
  return null
}
