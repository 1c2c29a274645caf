import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { renderMessage } from '@emma/contract/actions/content.ts'
import { message } from '@emma/contract/resources/message.ts'
import { EmptyState, ErrorState, ForbiddenState, isForbidden } from '@emma/ui/feedback/states.tsx'
import { RowMenu } from '@emma/ui/list/row-menu.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { ActionIcon, Button, Group, Select, Skeleton, TextInput } from '@mantine/core'
import { useDebouncedValue, useInViewport } from '@mantine/hooks'
import { IconDots, IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { retryBusy } from '../../../shell/resource/retry-busy.ts'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import classes from '../content.module.css'
import { LastResult } from './last-result.tsx'
import { MailPicture, MailThumbnail } from './mail-thumbnail.tsx'
import { sourceOf } from './template-table.tsx'
import { useTemplateUsage } from './template-usage.tsx'
import { useCopyTemplate } from './use-copy-template.tsx'
import { useTemplateGroups } from './use-template-groups.ts'

type Message = RecordOf<typeof message>

const pageSize = 24

/** Templates as thumbnails, most recent first. */
export function TemplateGallery({ create }: { create: ReactNode }): ReactNode {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 250)
  const groups = useTemplateGroups()
  const [chosen, setChosen] = useState<Record<string, string>>({})
  const filters = { ...chosen, ...(asked === '' ? {} : { text: asked }) }
  const isFiltered = Object.keys(filters).length > 0
  const copyAction = useCopyTemplate()
  const usage = useTemplateUsage()
  const removal = useRemoveActions(message, row => row.name)
  const [menu, setMenu] = useState<{ row: Message; anchor: HTMLElement } | null>(null)
  const templates = useInfiniteQuery({
    queryKey: [...queryKeys.lists(message), 'gallery', filters],
    queryFn: ({ pageParam, signal }) =>
      api.list(
        message,
        {
          limit: pageSize,
          offset: pageParam,
          filters,
          sort: { field: 'updated_at', descending: true },
        },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.length * pageSize
      return shown < last.pagination.total ? shown : null
    },
    placeholderData: keepPreviousData,
  })
  const { error } = templates
  if (error && isForbidden(error)) return <ForbiddenState permissions={['EmmaMessage:get']} />
  if (error) return <ErrorState error={error} onRetry={() => void templates.refetch()} />
  const rows = templates.data?.pages.flatMap(page => page.data) ?? []
  return (
    <>
      <Group gap="sm" mb="md">
        <TextInput
          aria-label={t('content.message.search')}
          placeholder={t('content.message.search')}
          leftSection={<IconSearch size={16} />}
          w={{ base: '100%', xs: 320 }}
          value={search}
          maxLength={200}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        {groups
          .filter(({ options }) => options.length > 0)
          .map(({ name, options }) => (
            <Select
              key={name}
              aria-label={t(`content.message.fields.${name}`)}
              placeholder={t(`content.message.fields.${name}`)}
              data={options}
              value={chosen[name] ?? null}
              clearable
              onChange={value => {
                const { [name]: _, ...others } = chosen
                setChosen(value === null ? others : { ...others, [name]: value })
              }}
            />
          ))}
      </Group>
      {templates.isPending && <Waiting />}
      {templates.data && rows.length === 0 && (
        <EmptyState
          title={t(isFiltered ? 'content.message.nothing_found' : 'content.message.empty_title')}
          text={isFiltered ? undefined : t('content.message.empty_text')}
          action={isFiltered ? undefined : create}
        />
      )}
      <ul className={classes.gallery}>
        {rows.map(row => (
          <li key={row.message_id} className={classes.card}>
            <TemplateThumbnail template={row} />
            <div className={classes.cardFoot}>
              <TemplateCaption template={row} />
              <ActionIcon
                className={classes.cardMenu}
                variant="subtle"
                color="gray"
                aria-label={t('content.message.actions', { name: row.name })}
                onClick={event => setMenu({ row, anchor: event.currentTarget })}
              >
                <IconDots size={16} />
              </ActionIcon>
            </div>
          </li>
        ))}
      </ul>
      {templates.hasNextPage && (
        <Button
          variant="default"
          mt="md"
          loading={templates.isFetchingNextPage}
          onClick={() => void templates.fetchNextPage()}
        >
          {t('content.message.show_more')}
        </Button>
      )}
      {menu && (
        <RowMenu
          anchor={menu.anchor}
          actions={[...usage.forRow(menu.row), ...copyAction(menu.row), ...removal.forRow(menu.row)]}
          onClose={() => setMenu(null)}
        />
      )}
      {usage.dialog}
    </>
  )
}

function TemplateCaption({ template }: { template: Message }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={classes.cardText}>
      <Link
        className={classes.cardName}
        to="/templates/edit/$id"
        params={{ id: String(template.message_id) }}
      >
        {template.name}
      </Link>
      <span className={classes.cardNote} title={template.subject}>
        {template.subject}
      </span>
      <span className={classes.cardMeta}>
        {t(`content.message.sources.${sourceOf(template)}`)} · {format.relative(template.updated_at)}
      </span>
      <LastResult templateId={template.message_id} />
    </span>
  )
}

/** The template's picture; until it is drawn after a change, and without Chromium, the template itself. */
function TemplateThumbnail({ template }: { template: Message }): ReactNode {
  const live = <LiveThumbnail template={template} />
  return template.screenshot ? <MailPicture url={template.screenshot.url_large}>{live}</MailPicture> : live
}

/** Rendered when it scrolls into view, and cached until the template changes. */
function LiveThumbnail({ template }: { template: Message }): ReactNode {
  const { ref, inViewport } = useInViewport<HTMLDivElement>()
  const [wasSeen, setSeen] = useState(false)
  if (inViewport && !wasSeen) setSeen(true)
  const { data } = useQuery({
    queryKey: queryKeys.action(renderMessage, { id: template.message_id, revision: template.revision }),
    queryFn: ({ signal }) =>
      api.call(renderMessage, { params: { id: template.message_id, member_id: 0 }, signal }),
    enabled: wasSeen && sourceOf(template) !== 'text',
    staleTime: Infinity,
    ...retryBusy,
  })
  return (
    <div ref={ref}>
      <MailThumbnail html={data?.html ? data.html : null} />
    </div>
  )
}

function Waiting(): ReactNode {
  return (
    <div className={classes.gallery} aria-busy>
      {[1, 2, 3, 4].map(place => (
        <Skeleton key={place} height={300} radius="lg" />
      ))}
    </div>
  )
}
