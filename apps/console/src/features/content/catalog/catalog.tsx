import { queryKeys } from '@emma/client/query-keys.ts'
import {
  type CatalogDesign,
  designCategories,
  designCollections,
  listCatalogTemplates,
} from '@emma/contract/actions/catalog.ts'
import { EmptyState, ErrorState, ForbiddenState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { Chip, Group, Select, Skeleton, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { api } from '../../../shell/session/api.ts'
import classes from '../content.module.css'
import { MailPicture, MailThumbnail } from '../templates/mail-thumbnail.tsx'
import { DesignPreview } from './design-preview.tsx'
import { useDesignLanguage, useRenderedDesign } from './use-designs.ts'

/** Most designs on the screen; the catalogue has fewer. */
const SHOWN = 100

/** The catalogue of designs (R128): by category, collection and search, with a large preview. */
export default function Catalog(): ReactNode {
  const { t } = useTranslation()
  const lang = useDesignLanguage()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 250)
  const [category, setCategory] = useState('')
  const [collection, setCollection] = useState<string | null>(null)
  const [opened, setOpened] = useState<CatalogDesign | null>(null)
  const query = {
    lang,
    pagesize: SHOWN,
    ...(asked === '' ? {} : { search: asked }),
    ...(category === '' ? {} : { category }),
    ...(collection === null ? {} : { collection }),
  }
  const designs = useQuery({
    queryKey: queryKeys.action(listCatalogTemplates, query),
    queryFn: ({ signal }) => api.call(listCatalogTemplates, { query, signal }),
    placeholderData: keepPreviousData,
  })
  const { data, error } = designs
  if (error && isForbidden(error)) return <ForbiddenState permissions={['BeePluginCatalog:get']} />
  return (
    <Page title={t('screens.catalog')}>
      <Group gap="sm" mb="md" align="center">
        <TextInput
          aria-label={t('content.catalog.search')}
          placeholder={t('content.catalog.search')}
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        <Select
          aria-label={t('content.catalog.collection')}
          placeholder={t('content.catalog.collection')}
          data={designCollections.map(value => ({ value, label: t(`content.catalog.collections.${value}`) }))}
          value={collection}
          onChange={setCollection}
          clearable
        />
      </Group>
      <Chip.Group value={category} onChange={setCategory}>
        <Group gap="xs" mb="lg" role="group" aria-label={t('content.catalog.category')}>
          {['', ...designCategories].map(value => (
            <Chip key={value} value={value} size="sm" variant="outline">
              {t(`content.catalog.categories.${value || 'all'}`)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {error && <ErrorState error={error} onRetry={() => void designs.refetch()} />}
      {designs.isPending && <Waiting />}
      {data?.results.length === 0 && <EmptyState title={t('content.catalog.nothing_found')} />}
      {data && data.results.length > 0 && (
        <ul className={classes.gallery}>
          {data.results.map(design => (
            <li key={design.slug}>
              <UnstyledButton className={classes.card} onClick={() => setOpened(design)}>
                <DesignThumbnail design={design} />
                <span className={classes.cardText}>
                  <span className={classes.cardName}>{design.title}</span>
                  <span className={classes.designNote}>{design.description}</span>
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {opened && <DesignPreview design={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

/** The design's picture in the brand of the client, or until it is drawn the design itself. */
function DesignThumbnail({ design }: { design: CatalogDesign }): ReactNode {
  const live = <LiveThumbnail slug={design.slug} />
  return design.thumbnail_large ? <MailPicture url={design.thumbnail_large}>{live}</MailPicture> : live
}

function LiveThumbnail({ slug }: { slug: string }): ReactNode {
  const { data } = useRenderedDesign(slug)
  return <MailThumbnail html={data?.html ?? null} />
}

function Waiting(): ReactNode {
  return (
    <div className={classes.gallery} aria-busy>
      {[1, 2, 3, 4].map(place => (
        <Skeleton key={place} height={330} radius="lg" />
      ))}
    </div>
  )
}
