import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { SegmentedControl, TextInput, Title, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBrand } from '../use-brand.ts'
import { type LookName, sampleTexts, sectionLooks } from './section-parts.ts'
import { SectionPreview } from './section-preview.tsx'
import classes from './section-library.module.css'
import { sectionGroups, sectionNames, sectionSource } from './sections.ts'

interface SectionLibraryProps {
  onPick: (source: string) => void
  onClose: () => void
}

const lookNames = Object.keys(sectionLooks)

/** Dialog with the designed sections by group, with a search by name. */
export function SectionLibrary({ onPick, onClose }: SectionLibraryProps): ReactNode {
  const { t } = useTranslation()
  const brand = useBrand()
  const [search, setSearch] = useState('')
  const [look, setLook] = useState<LookName>('light')
  const texts = sampleTexts(name => t(`content.design.sample.${name}`))
  const labelOf = (name: string) => t(`content.design.sections.${name}`)
  const groupOf = (group: string) => t(`content.design.section_groups.${group}`)
  const asked = search.trim().toLowerCase()
  const found = sectionNames.filter(({ group, name }) =>
    `${labelOf(name)} ${groupOf(group)}`.toLowerCase().includes(asked),
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
      {found.length === 0 && <EmptyState title={t('content.design.library_none')} />}
      {sectionGroups.map(group => {
        const names = found.filter(one => one.group === group)
        if (names.length === 0) return null
        return (
          <section key={group} aria-label={groupOf(group)}>
            <Title order={3} size="h6" mt="md" mb="xs">
              {groupOf(group)}
            </Title>
            <ul className={classes.grid}>
              {names.map(({ name }) => (
                <li key={name}>
                  <UnstyledButton
                    className={classes.card}
                    onClick={() => {
                      onPick(sectionSource(name, look, texts))
                      onClose()
                    }}
                  >
                    <SectionPreview source={sectionSource(name, look, texts)} brand={brand} />
                    {labelOf(name)}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </Dialog>
  )
}
