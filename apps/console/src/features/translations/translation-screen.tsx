import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import type { TranslationRecord } from '@emma/contract/resources/translation.ts'
import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { IconLanguage, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../shell/i18n/error-text.ts'
import { Page } from '../../shell/layout/page.tsx'
import { FileButtons } from './file-buttons.tsx'
import { type Filter, filters, findRows, textRows } from './text-rows.ts'
import { TextTable } from './text-table.tsx'
import classes from './translations.module.css'
import { useTranslations } from './use-translations.ts'

/** Editor of all texts of the console in its three languages (R295). */
export default function TranslationScreen(): ReactNode {
  const { t } = useTranslation()
  const translations = useTranslations()
  const { records, missed } = translations
  const error = records.error ?? missed.error
  return (
    <Page
      title={t('screens.translations')}
      subtitle={t('translations.title_text')}
      actions={records.data && <FileButtons records={records.data.data} change={translations.change} />}
    >
      {error && (
        <ErrorState error={error} onRetry={() => void Promise.all([records.refetch(), missed.refetch()])} />
      )}
      {!error && (!records.data || !missed.data) && <BlockSkeleton height={480} />}
      {!error && records.data && missed.data && (
        <Texts records={records.data.data} missed={missed.data.data} translations={translations} />
      )}
    </Page>
  )
}

interface TextsProps {
  records: readonly TranslationRecord[]
  missed: readonly { key: string; seen: number }[]
  translations: ReturnType<typeof useTranslations>
}

const pageSize = 50

function Texts({ records, missed, translations }: TextsProps): ReactNode {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const [shown, setShown] = useState(pageSize)
  const needle = useDeferredValue(search)
  const rows = useMemo(() => textRows(records, missed), [records, missed])
  const found = useMemo(() => findRows(rows, needle, filter), [rows, needle, filter])
  return (
    <>
      <Group className={classes.toolbar} gap="xs">
        <TextInput
          type="search"
          className={classes.search}
          aria-label={t('translations.search')}
          placeholder={t('translations.search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={event => {
            setSearch(event.currentTarget.value)
            setShown(pageSize)
          }}
        />
        <Select
          className={classes.filter}
          aria-label={t('translations.show')}
          allowDeselect={false}
          data={filters.map(value => ({ value, label: t(`translations.filters.${value}`) }))}
          value={filter}
          onChange={value => {
            setFilter(filters.find(name => name === value) ?? 'all')
            setShown(pageSize)
          }}
        />
        <Text size="sm" c="dimmed" role="status">
          {t('translations.found', { count: found.length })}
        </Text>
        {filter === 'collected' && found.length > 0 && (
          <Button variant="default" onClick={() => translations.forget().catch(showError)}>
            {t('translations.forget_all')}
          </Button>
        )}
      </Group>
      {found.length === 0 ? (
        <Nothing filter={filter} />
      ) : (
        <TextTable rows={found.slice(0, shown)} records={records} translations={translations} />
      )}
      {found.length > shown && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => setShown(shown + pageSize)}>
            {t('translations.more')}
          </Button>
        </Group>
      )}
    </>
  )
}

function Nothing({ filter }: { filter: Filter }): ReactNode {
  const { t } = useTranslation()
  const kind = filter === 'collected' ? 'none_missing' : 'nothing'
  return (
    <EmptyState
      icon={<IconLanguage size={28} />}
      title={t(`translations.${kind}_title`)}
      text={t(`translations.${kind}_text`)}
    />
  )
}
