import type { TranslationRecord } from '@emma/contract/resources/translation.ts'
import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/i18n/error-text.ts'
import { LanguageHead } from './language-head.tsx'
import { TextCell } from './text-cell.tsx'
import type { TextRow } from './text-rows.ts'
import classes from './translations.module.css'
import type { useTranslations } from './use-translations.ts'

interface TextTableProps {
  rows: readonly TextRow[]
  records: readonly TranslationRecord[]
  translations: ReturnType<typeof useTranslations>
}

/** Table with one row per key and one column per language. */
export function TextTable({ rows, records, translations }: TextTableProps): ReactNode {
  const { t } = useTranslation()
  const { change, forget } = translations
  return (
    <div className={classes.frame} tabIndex={0} role="region" aria-label={t('screens.translations')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('translations.key')}</th>
            {records.map(record => (
              <th key={record.language} scope="col">
                <LanguageHead record={record} change={change} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.key}>
              <th scope="row">
                <code className={classes.key}>{row.key}</code>
                {row.asked > 0 && (
                  <span className={classes.asked}>
                    {t('translations.seen', { count: row.asked })}
                    <ActionIcon
                      size="sm"
                      variant="subtle"
                      color="gray"
                      aria-label={t('translations.forget', { key: row.key })}
                      onClick={() => forget(row.key).catch(showError)}
                    >
                      <IconX size={14} />
                    </ActionIcon>
                  </span>
                )}
              </th>
              {records.map(({ language, label }) => (
                <td key={language} data-language={label}>
                  <TextCell row={row} lang={language} title={label} change={change} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
