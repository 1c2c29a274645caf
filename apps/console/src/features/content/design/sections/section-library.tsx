import { queryKeys } from '@emma/client/query-keys.ts'
import { placeholder } from '@emma/contract/resources/placeholder.ts'
import type { TemplateFormat } from '@emma/mail/edit/template-tree.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { SegmentedControl, Text, TextInput, Title, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../../shell/session/api.ts'
import { usePermission } from '../../../../shell/session/use-session.ts'
import { useBrand } from '../use-brand.ts'
import { useSyncedRecords } from '../use-synced-records.ts'
import { feedSectionNames, feedSectionSource } from './feed-sections.ts'
import { sectionHtml } from './section-html.ts'
import { type LookName, sampleTexts, sectionLooks } from './section-parts.ts'
import { SavedSections } from './saved-sections.tsx'
import { SectionPreview } from './section-preview.tsx'
import classes from './section-library.module.css'
import { type SectionGroup, sectionGroups, sectionNames, sectionSource } from './sections.ts'

interface SectionLibraryProps {
  /** Of the template: designed sections are compiled for HTML. */
  format: TemplateFormat
  onPick: (source: string, styles?: readonly string[]) => void
  onClose: () => void
}

/** Blocks of MJML are converted for templates in HTML. */
const formatsIn: Readonly<Record<TemplateFormat, readonly TemplateFormat[]>> = {
  mjml: ['mjml'],
  html: ['html', 'mjml'],
}

const lookNames = Object.keys(sectionLooks)

/** Dialog with the designed sections by group, with a search by name. */
export function SectionLibrary({ format, onPick, onClose }: SectionLibraryProps): ReactNode {
  const { t } = useTranslation()
  const brand = useBrand()
  const [search, setSearch] = useState('')
  const [look, setLook] = useState<LookName>('light')
  const texts = sampleTexts(name => t(`content.design.sample.${name}`))
  const labelOf = (name: string) => t(`content.design.sections.${name}`)
  const groupOf = (group: string) => t(`content.design.section_groups.${group}`)
  const term = search.trim().toLowerCase()
  const saved = useSyncedRecords(...formatsIn[format]).filter(({ name }) => name.toLowerCase().includes(term))
  const feeds = useFeeds()
  const entries: Entry[] = [
    ...sectionNames.map(({ group, name }) => ({
      group,
      label: labelOf(name),
      source: sectionSource(name, look, texts),
    })),
    ...feeds.flatMap(feed =>
      feedSectionNames.map(name => ({
        group: 'feed' as const,
        label: `${labelOf(name)}: ${feed.name}`,
        source: feedSectionSource(name, feed.token, look, texts),
      })),
    ),
  ]
  const found = entries.filter(({ group, label }) =>
    `${label} ${groupOf(group)}`.toLowerCase().includes(term),
  )
  return (
    <Dialog title={t('content.design.library_title')} isOpen onClose={onClose} size="xl">
      <div className={classes.tools}>
        <TextInput
          data-autofocus
          className={classes.search ?? ''}
          aria-label={t('content.design.library_search')}
          placeholder={t('content.design.library_search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={t('content.design.look')}
          value={look}
          data={lookNames.map(value => ({ value, label: t(`content.design.looks.${value}`) }))}
          onChange={value => setLook(value === 'dark' ? 'dark' : 'light')}
        />
      </div>
      {found.length + saved.length === 0 && <EmptyState title={t('content.design.library_none')} />}
      <SavedSections
        records={saved}
        brand={brand}
        format={format}
        onPick={(source, styles) => {
          onPick(source, styles)
          onClose()
        }}
      />
      {[...sectionGroups, 'feed' as const].map(group => {
        const shown = found.filter(one => one.group === group)
        if (shown.length === 0) return null
        return (
          <section key={group} aria-label={groupOf(group)}>
            <Title order={3} size="h6" mt="md" mb="xs">
              {groupOf(group)}
            </Title>
            <ul className={classes.grid}>
              {shown.map(({ label, source }) => (
                <li key={label}>
                  <UnstyledButton
                    className={classes.card}
                    onClick={() => {
                      onPick(format === 'mjml' ? source : sectionHtml(source))
                      onClose()
                    }}
                  >
                    <SectionPreview source={source} brand={brand} />
                    {label}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {feeds.length === 0 && term === '' && (
        <Text size="sm" c="dimmed" mt="md">
          {t('content.design.no_feeds')}
        </Text>
      )}
    </Dialog>
  )
}

interface Entry {
  group: SectionGroup | 'feed'
  label: string
  /** MJML. */
  source: string
}

/** Placeholders of kind feed, whose items sections can show. */
function useFeeds() {
  const mayRead = usePermission({ all: ['EmmaPlaceholder:get'] })
  const { data } = useQuery({
    queryKey: [...queryKeys.lists(placeholder), 'feeds'],
    queryFn: ({ signal }) => api.listAll(placeholder, { filters: { type: 'feed' } }, { signal }),
    enabled: mayRead,
    staleTime: 60_000,
  })
  return data ?? []
}
