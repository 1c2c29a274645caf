import type { HelpPost, PlayableTour } from '@emma/contract/actions/guidance.ts'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { Button, Skeleton, Stack, Text, TextInput, Title, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconArrowLeft, IconRoute, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asLang } from '../i18n/i18n.ts'
import { CleanHtml } from './clean-html.tsx'
import classes from './help-drawer.module.css'
import { listPosts, postsForScreen } from './help-posts.ts'
import { helpDrawer, useHelpDrawer } from './help-store.ts'
import { decodeTitle } from './decode-title.ts'
import { inLanguage } from './in-language.ts'
import { usePlayTour } from './use-tours.ts'

/** Drawer with the help articles and tours of the current screen. */
export function HelpDrawer({ tours }: { tours: readonly PlayableTour[] }): ReactNode {
  const { t } = useTranslation()
  const isOpen = useHelpDrawer()
  const { pathname } = useLocation()
  return (
    <DetailsDrawer title={t('help.drawer_title')} isOpen={isOpen} onClose={helpDrawer.close} size="md">
      {/* Remounts on each screen. */}
      <HelpForScreen key={pathname} pathname={pathname} tours={tours} />
    </DetailsDrawer>
  )
}

function HelpForScreen(props: { pathname: string; tours: readonly PlayableTour[] }): ReactNode {
  const { pathname, tours } = props
  const { t, i18n } = useTranslation()
  const lang = asLang(i18n.resolvedLanguage)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const [open, setOpen] = useState<number | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['help', lang, search],
    queryFn: ({ signal }) => listPosts({ lang, search }, signal),
    retry: false,
    placeholderData: before => before,
  })
  const article = data?.posts.find(({ id }) => id === open)
  if (article)
    return (
      <Stack gap="md">
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconArrowLeft size={15} stroke={1.8} />}
          onClick={() => setOpen(null)}
        >
          {t('help.back')}
        </Button>
        <article>
          <Title order={3} mb="sm">
            {decodeTitle(article.title.rendered)}
          </Title>
          <CleanHtml html={article.content.rendered} />
        </article>
      </Stack>
    )
  const posts = search === '' ? postsForScreen(data?.posts ?? [], pathname) : (data?.posts ?? [])
  return (
    <Stack gap="lg">
      <TextInput
        label={t('help.search')}
        type="search"
        leftSection={<IconSearch size={15} stroke={1.8} aria-hidden />}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={140} />}
      {data && <FoundPosts posts={posts} isSearch={search !== ''} onOpen={setOpen} />}
      <ToursHere tours={tours} pathname={pathname} />
      <Button component={Link} to="/help" variant="default" onClick={helpDrawer.close}>
        {t('help.all')}
      </Button>
    </Stack>
  )
}

interface FoundPostsProps {
  posts: readonly HelpPost[]
  isSearch: boolean
  onOpen: (id: number) => void
}

function FoundPosts({ posts, isSearch, onOpen }: FoundPostsProps): ReactNode {
  const { t } = useTranslation()
  if (posts.length === 0)
    return (
      <Text size="sm" c="dimmed" role="status">
        {t(isSearch ? 'help.nothing_found' : 'help.nothing_here')}
      </Text>
    )
  return (
    <section aria-label={t(isSearch ? 'help.found' : 'help.for_screen')}>
      <Title order={3} size="h5" mb={6}>
        {t(isSearch ? 'help.found' : 'help.for_screen')}
      </Title>
      <ul className={classes.list}>
        {posts.map(post => (
          <li key={post.id}>
            <UnstyledButton className={classes.entry} onClick={() => onOpen(post.id)}>
              {decodeTitle(post.title.rendered)}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ToursHere({ tours, pathname }: { tours: readonly PlayableTour[]; pathname: string }): ReactNode {
  const { t, i18n } = useTranslation()
  const play = usePlayTour()
  const here = tours.filter(({ path }) => path === pathname)
  const shown = here.length > 0 ? here : tours
  if (shown.length === 0) return null
  return (
    <section aria-label={t('tours.offered')}>
      <Title order={3} size="h5" mb={6}>
        {t('tours.offered')}
      </Title>
      <ul className={classes.list}>
        {shown.map(tour => (
          <li key={tour.id}>
            <UnstyledButton
              className={classes.entry}
              onClick={() => {
                helpDrawer.close()
                void play(tour)
              }}
            >
              <IconRoute size={15} stroke={1.7} aria-hidden />
              {inLanguage({ ...tour, name_en: tour.name }, 'name', i18n.resolvedLanguage)}
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
