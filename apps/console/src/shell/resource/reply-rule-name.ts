import { exists, t } from 'i18next'

/** A rule for SMTP replies in the reader's language: those that EMMA comes with. Renamed ones keep their name. */
export function replyRuleName(name: string): string {
  const key = `notifications.reply_rules.${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')}`
  return exists(key) ? t(key) : name
}
