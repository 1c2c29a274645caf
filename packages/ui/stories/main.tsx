import { brands } from '@emma/contract/brands.ts'
import { useMantineColorScheme } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ModalArea } from '../src/feedback/modal-area.tsx'
import { UiProvider } from '../src/theme/ui-provider.tsx'
import { StoryBook } from './story-book.tsx'
import { storyMessages } from './story-messages.ts'
import { type StorySettings, readSettings, writeSettings } from './story-settings.ts'

/** The story book: `npm run stories`. The URL selects: `?story=list&scheme=dark&brand=ems&lng=de`. */
const begin = readSettings(location.search)
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

function Book(): ReactNode {
  const [settings, setSettings] = useState(begin)
  const change = (next: StorySettings) => {
    history.replaceState(null, '', writeSettings(next))
    setSettings(next)
  }
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider
        brand={brands[settings.brand]}
        language={settings.lng}
        messages={storyMessages[settings.lng]}
        timeZone="Europe/Berlin"
      >
        <Scheme scheme={settings.scheme} />
        <StoryBook settings={settings} onChange={change} />
        <ModalArea />
      </UiProvider>
    </QueryClientProvider>
  )
}

function Scheme({ scheme }: { scheme: StorySettings['scheme'] }): ReactNode {
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => setColorScheme(scheme), [scheme, setColorScheme])
  return null
}

document.documentElement.lang = begin.lng
const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Book />
    </StrictMode>,
  )
}
