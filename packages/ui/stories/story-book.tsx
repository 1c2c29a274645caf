import { SegmentedControl, TextInput, Title } from '@mantine/core'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import { BlockSkeleton } from '../src/feedback/skeletons.tsx'
import { type StoryPage, pages } from './pages.ts'
import type { Story } from './story.ts'
import classes from './story-book.module.css'
import { type StorySettings, readSettings, writeSettings } from './story-settings.ts'

export interface StoryBookProps {
  settings: StorySettings
  onChange: (settings: StorySettings) => void
}

/** The story book: a searchable index of components, and switches for color scheme, brand, language and width. */
export function StoryBook({ settings, onChange }: StoryBookProps): ReactNode {
  const page = pages.find(({ name }) => name === settings.story)
  if (settings.view === 'page') return <Stories page={page} />
  return (
    <div className={classes.book}>
      <Index settings={settings} onChange={onChange} />
      <div className={classes.side}>
        <Switches settings={settings} onChange={onChange} />
        {settings.width === 'phone' ? (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- this page itself, in a narrow window
          <iframe
            className={classes.phone}
            title="360 px"
            src={writeSettings({ ...settings, width: 'full', view: 'page' })}
          />
        ) : (
          <Stories page={page} />
        )}
      </div>
    </div>
  )
}

function Index({ settings, onChange }: StoryBookProps): ReactNode {
  const [typed, setTyped] = useState('')
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = pages.filter(page =>
    words.every(word => `${page.title} ${page.name} ${page.words}`.toLowerCase().includes(word)),
  )
  return (
    <nav className={classes.index} aria-label="Stories">
      <TextInput
        type="search"
        aria-label="Find a story"
        placeholder="Find a story"
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter' && found[0]) onChange({ ...settings, story: found[0].name })
        }}
      />
      <ul>
        {found.map(page => (
          <li key={page.name}>
            <a
              href={writeSettings({ ...settings, story: page.name })}
              aria-current={page.name === settings.story ? 'page' : undefined}
              onClick={event => {
                if (event.metaKey || event.ctrlKey) return
                event.preventDefault()
                onChange({ ...settings, story: page.name })
              }}
            >
              {page.title}
            </a>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>No story fits.</p>}
    </nav>
  )
}

const switches = {
  scheme: { label: 'Colour scheme', light: 'Light', dark: 'Dark' },
  brand: { label: 'Brand', emma: 'EMMA', ems: 'EMS' },
  lng: { label: 'Language', en: 'en', de: 'de', es: 'es' },
  width: { label: 'Width', full: 'Full', phone: '360' },
} as const

function Switches({ settings, onChange }: StoryBookProps): ReactNode {
  return (
    <header className={classes.switches}>
      <Switch name="scheme" choices={['light', 'dark']} settings={settings} onChange={onChange} />
      <Switch name="brand" choices={['emma', 'ems']} settings={settings} onChange={onChange} />
      <Switch name="lng" choices={['en', 'de', 'es']} settings={settings} onChange={onChange} />
      <Switch name="width" choices={['full', 'phone']} settings={settings} onChange={onChange} />
    </header>
  )
}

function Switch(
  props: StoryBookProps & { name: keyof typeof switches; choices: readonly string[] },
): ReactNode {
  const { name, choices, settings, onChange } = props
  const words: Readonly<Record<string, string>> = switches[name]
  const choose = (value: string) =>
    onChange(readSettings(new URLSearchParams({ ...settings, [name]: value }).toString()))
  return (
    <SegmentedControl
      size="xs"
      aria-label={words.label ?? name}
      data={choices.map(value => ({ value, label: words[value] ?? value }))}
      value={settings[name]}
      onChange={choose}
    />
  )
}

/** Created once: a new lazy component at each render would never finish loading. */
const loadedPages = pages.map(({ name, load }) => ({
  name,
  Loaded: lazy(async () => {
    const { stories } = await load()
    return { default: () => <StoryList stories={stories} /> }
  }),
}))

function Stories({ page }: { page: StoryPage | undefined }): ReactNode {
  return (
    <main className={classes.page} data-story={page?.name}>
      <Title order={1}>{page?.title ?? 'No such story'}</Title>
      <Suspense fallback={<BlockSkeleton height={200} />}>
        {loadedPages.map(({ name, Loaded }) => name === page?.name && <Loaded key={name} />)}
      </Suspense>
    </main>
  )
}

function StoryList({ stories }: { stories: readonly Story[] }): ReactNode {
  return (
    <div className={classes.stories} data-ready>
      {stories.map(story => (
        <section key={story.title} className={classes.story} aria-label={story.title}>
          <p className={classes.title}>{story.title}</p>
          <story.render />
        </section>
      ))}
    </div>
  )
}
