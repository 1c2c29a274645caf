import type { HelpPost } from '@emma/contract/actions/guidance.ts'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { decodeTitle } from '../../../shell/guidance/decode-title.ts'
import { listPosts } from '../../../shell/guidance/help-posts.ts'
import { asLang } from '../../../shell/i18n/i18n.ts'
import { Page } from '../../../shell/layout/page.tsx'
import classes from './help.module.css'

const perPage = 12

/** List of help articles with a search, whose text is in the URL. */
export default function HelpList(): ReactNode {
  const { t, i18n } = useTranslation()
  const lang = asLang(i18n.resolvedLanguage)
  const [typed, setTyped] = useSearchInAddress()
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['help', 'pages', lang, search],
    queryFn: ({ pageParam, signal }) => listPosts({ lang, search, offset: pageParam, perPage }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const got = pages.reduce((sum, { posts }) => sum + posts.length, 0)
      return got < last.total && last.posts.length > 0 ? got : undefined
    },
    retry: false,
    placeholderData: before => before,
  })
  const posts = data?.pages.flatMap(page => page.posts) ?? []
  const total = data?.pages[0]?.total ?? 0
  return (
    <Page title={t('screens.help')}>
      <Stack gap="lg" maw={1100}>
        <TextInput
          size="md"
          type="search"
          label={t('help.search')}
          leftSection={<IconSearch size={17} stroke={1.7} aria-hidden />}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeletons />}
        {data && total === 0 && (
          <EmptyState title={t('help.nothing_found')} text={t('help.nothing_found_text')} />
        )}
        {data && total > 0 && (
          <>
            <Text size="sm" c="dimmed" role="status">
              {t('help.counted', { count: total })}
            </Text>
            <ul className={classes.cards}>
              {posts.map(post => (
                <li key={post.id}>
                  <ArticleCard post={post} />
                </li>
              ))}
            </ul>
            {hasNextPage && (
              <Group justify="center">
                <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {t('help.more')}
                </Button>
              </Group>
            )}
          </>
        )}
      </Stack>
    </Page>
  )
}

function ArticleCard({ post }: { post: HelpPost }): ReactNode {
  return (
    <Link to="/help/$id" params={{ id: String(post.id) }} className={classes.card}>
      <Title order={2} size="h4">
        {decodeTitle(post.title.rendered)}
      </Title>
      <Text size="sm" c="dimmed" lineClamp={3}>
        {decodeTitle(post.excerpt.rendered)}
      </Text>
    </Link>
  )
}

function Skeletons(): ReactNode {
  return (
    <div className={classes.cards} aria-hidden>
      {[0, 1, 2, 3, 4, 5].map(index => (
        <Skeleton key={index} height={112} radius="lg" />
      ))}
    </div>
  )
}

function useSearchInAddress(): [string, (text: string) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const [typed, setTyped] = useState(typeof search['q'] === 'string' ? search['q'] : '')
  const [settled] = useDebouncedValue(typed.trim(), 400)
  useEffect(() => {
    void navigate({
      to: '.',
      search: (current: Record<string, unknown>) => ({ ...current, q: settled || undefined }),
      replace: true,
      resetScroll: false,
    })
  }, [settled, navigate])
  return [typed, setTyped]
}
