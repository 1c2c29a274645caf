import { exists, t } from 'i18next'

/** Translated name of a built-in reply rule; other names are returned unchanged. */
export function replyRuleName(name: string): string {
  const key = `notifications.reply_rules.${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')}`
  return exists(key) ? t(key) : name
}
