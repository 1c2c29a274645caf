import { useTranslation } from 'react-i18next'

/** Text of a classification and its reason: `By a security filter: from the network of Barracuda`. */
export function useClassificationText(): (verdict: string, reason: string | null) => string {
  const { t, i18n } = useTranslation()
  return (verdict, reason) => {
    const who = t(`hit.who.${verdict}`)
    if (!reason) return who
    const [code = '', name] = reason.split('/', 2)
    // Older tracking events store the reason as text.
    return `${who}: ${i18n.exists(`hit.reason.${code}`) ? t(`hit.reason.${code}`, { name }) : reason}`
  }
}
