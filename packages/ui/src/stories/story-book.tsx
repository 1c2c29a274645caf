import { Button, Group, SegmentedControl, Stack, Title, useMantineColorScheme } from '@mantine/core'
import { type ReactNode, Suspense, lazy } from 'react'
import { BlockSkeleton } from '../feedback/skeletons.tsx'
import type { Story } from './story.ts'
import classes from './story-book.module.css'

const modules = import.meta.glob<{ stories: readonly Story[] }>('./*.story.tsx')
const pages = Object.entries(modules).map(([path, load]) => ({
  name: path.slice(2, -'.story.tsx'.length),
  Page: lazy(async () => {
    const { stories } = await load()
    return { default: () => <StoryPage stories={stories} /> }
  }),
}))

export interface StoryBookProps {
  /** Which file of stories is shown, without its ending. */
  chosen: string
  onChoose: (name: string) => void
}

/** All pieces of the kit, for developers: mounted by the console in development only. */
export function StoryBook({ chosen, onChoose }: StoryBookProps): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <div className={classes.book}>
      <nav className={classes.index} aria-label="Stories">
        {pages.map(({ name }) => (
          <Button
            key={name}
            variant={name === chosen ? 'light' : 'subtle'}
            color="gray"
            size="compact-sm"
            onClick={() => onChoose(name)}
          >
            {name}
          </Button>
        ))}
        <SegmentedControl
          size="xs"
          aria-label="Colour scheme"
          data={['light', 'dark']}
          value={colorScheme === 'dark' ? 'dark' : 'light'}
          onChange={value => setColorScheme(value === 'dark' ? 'dark' : 'light')}
        />
      </nav>
      <main className={classes.page}>
        <Suspense fallback={<BlockSkeleton height={200} />}>
          {pages.map(({ name, Page }) => name === chosen && <Page key={name} />)}
        </Suspense>
      </main>
    </div>
  )
}

function StoryPage({ stories }: { stories: readonly Story[] }): ReactNode {
  return (
    <Stack gap="xl">
      {stories.map(story => (
        <section key={story.title} className={classes.story} aria-label={story.title}>
          <Group mb="sm">
            <Title order={2}>{story.title}</Title>
          </Group>
          <story.render />
        </section>
      ))}
    </Stack>
  )
}
