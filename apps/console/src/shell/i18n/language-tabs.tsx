import { translate } from '@emma/contract/actions/guidance.ts'
import { Button, Group, Tabs, VisuallyHidden } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { showError } from './error-text.ts'
import { asLang, type Lang, languages } from './i18n.ts'

interface LanguageTabsProps<Field extends string> {
  label: string
  /** Fields that exist once per language: `title` stands for `title_en`, `title_de`, `title_es`. */
  fields: readonly Field[]
  values: { readonly [K in `${Field}_${Lang}`]: string | null }
  onChange: (field: `${Field}_${Lang}`, text: string) => void
  /** Fields with a validation error. Their languages are marked; one of them is selected after an attempt to save. */
  faulty?: readonly string[]
  /** Number of attempts to save. */
  attempts?: number
  /** The inputs of a language; `hint` returns a note for a text that is an unchanged suggestion. */
  children: (lang: Lang, hint: (field: Field) => string | undefined) => ReactNode
}

/**
 * Tabs for texts in three languages. "Translate" fills empty fields from the selected language with suggestions of the
 * translation service (R303); a suggestion is marked until it is edited.
 */
export function LanguageTabs<Field extends string>(props: LanguageTabsProps<Field>): ReactNode {
  const { label, fields, values, onChange, faulty = [], attempts = 0, children } = props
  const { t, i18n } = useTranslation()
  const [shown, setShown] = useState<Lang>(asLang(i18n.resolvedLanguage))
  const [suggested, setSuggested] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  const [seenAttempts, setSeenAttempts] = useState(attempts)
  const latest = useRef(values)
  useEffect(() => {
    latest.current = values
  }, [values])
  const isFaulty = (lang: Lang) => fields.some(field => faulty.includes(`${field}_${lang}`))
  if (attempts !== seenAttempts) {
    // Selects a language with a validation error if the selected one has none.
    setSeenAttempts(attempts)
    const wrong = languages.find(({ lang }) => isFaulty(lang))
    if (wrong && !isFaulty(shown)) setShown(wrong.lang)
  }
  const gaps = fields.flatMap(field =>
    isBlank(values[`${field}_${shown}`])
      ? []
      : languages.flatMap(({ lang }) => (isBlank(values[`${field}_${lang}`]) ? [{ field, lang }] : [])),
  )

  async function fill(): Promise<void> {
    setBusy(true)
    try {
      for (const { field, lang } of gaps) {
        const query = { source: shown, target: lang, text: values[`${field}_${shown}`] ?? '' }
        const { translatedText } = await api.call(translate, { query, ignoreCache: true })
        // Keeps what the user has entered meanwhile.
        if (!isBlank(latest.current[`${field}_${lang}`])) continue
        setSuggested(current => ({ ...current, [`${field}_${lang}`]: translatedText }))
        onChange(`${field}_${lang}`, translatedText)
      }
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }

  function hint(field: Field): string | undefined {
    const name = `${field}_${shown}` as const
    const suggestion = suggested[name]
    return suggestion !== undefined && suggestion === values[name] ? t('languages.suggestion') : undefined
  }

  return (
    <div>
      <Tabs value={shown} onChange={lang => setShown(asLang(lang ?? undefined))} keepMounted={false}>
        <Group justify="space-between" align="end" mb="sm" gap="xs">
          <Tabs.List aria-label={label}>
            {languages.map(({ lang, title }) => (
              <Tabs.Tab key={lang} value={lang}>
                {title}
                <LanguageMark
                  isFaulty={isFaulty(lang)}
                  isOpen={fields.some(field => isBlank(values[`${field}_${lang}`]))}
                />
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconLanguage size={15} stroke={1.7} />}
            disabled={gaps.length === 0}
            loading={isBusy}
            onClick={() => void fill()}
          >
            {t('languages.translate')}
          </Button>
        </Group>
        {languages.map(({ lang }) => (
          <Tabs.Panel key={lang} value={lang}>
            {lang === shown && children(lang, hint)}
          </Tabs.Panel>
        ))}
      </Tabs>
    </div>
  )
}

function LanguageMark({ isFaulty, isOpen }: { isFaulty: boolean; isOpen: boolean }): ReactNode {
  const { t } = useTranslation()
  if (!isFaulty && !isOpen) return null
  return (
    <span style={{ color: isFaulty ? 'var(--emma-negative)' : 'var(--mantine-color-dimmed)' }}>
      {' '}
      <span aria-hidden>{isFaulty ? '!' : '○'}</span>
      <VisuallyHidden>{t(isFaulty ? 'languages.faulty' : 'languages.open')}</VisuallyHidden>
    </span>
  )
}

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === ''
}
