import { notify } from '@emma/ui/feedback/notify.tsx'
import { ActionIcon } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/i18n/error-text.ts'
import type { Lang } from '../../shell/i18n/i18n.ts'
import { changeOf, type TextRow, valueFaults } from './text-rows.ts'
import classes from './translations.module.css'
import type { useTranslations } from './use-translations.ts'

interface TextCellProps {
  row: TextRow
  lang: Lang
  /** Display name of the language. */
  title: string
  change: ReturnType<typeof useTranslations>['change']
}

/** Editable text in one language. Saved on blur or Ctrl+Enter; Escape discards the change. */
export function TextCell({ row, lang, title, change }: TextCellProps): ReactNode {
  const { t } = useTranslation()
  const { key, texts } = row
  const saved = texts[lang] ?? ''
  const isEdited = row.edited.has(lang)
  const [draft, setDraft] = useState<string | null>(null)
  const text = draft ?? saved
  const faults = valueFaults({ key, texts: { ...texts, [lang]: text } }, lang)

  async function put(next: string | null, told: string, undo: string | null): Promise<void> {
    try {
      await change(lang, { localisation: changeOf(key, next) })
      // Keeps text typed during the request as the next change.
      setDraft(current => (current === draft ? null : current))
      notify.success(told, {
        id: 'translation',
        action: { label: t('translations.undo'), run: () => void put(undo, told, next) },
      })
    } catch (error) {
      showError(error)
    }
  }

  function leave(): void {
    if (draft === null || draft === saved) return setDraft(null)
    void put(draft === '' ? null : draft, t('translations.saved', { key }), isEdited ? saved : null)
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape') setDraft(null)
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.blur()
  }

  return (
    <div className={classes.cell} data-edited={isEdited || undefined}>
      <textarea
        className={classes.text}
        lang={lang}
        rows={1}
        aria-label={t('translations.text_of', { key, language: title })}
        aria-invalid={faults !== null}
        placeholder={t('translations.empty_text')}
        value={text}
        onChange={event => setDraft(event.currentTarget.value)}
        onBlur={leave}
        onKeyDown={press}
      />
      {isEdited && (
        <ActionIcon
          className={classes.reset}
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t('translations.reset', { key, language: title })}
          onClick={() => void put(null, t('translations.reset_done', { key }), saved)}
        >
          <IconArrowBackUp size={14} />
        </ActionIcon>
      )}
      {faults && (
        <p className={classes.fault}>
          {faults.lacks.length > 0 && t('translations.lacks', { values: braced(faults.lacks) })}{' '}
          {faults.foreign.length > 0 && t('translations.foreign', { values: braced(faults.foreign) })}
        </p>
      )}
    </div>
  )
}

function braced(names: readonly string[]): string {
  return names.map(name => `{{${name}}}`).join(', ')
}
