import { brands } from '@emma/contract/brands.ts'
import { useMantineColorScheme } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ModalArea } from '../src/feedback/modal-area.tsx'
import { UiProvider } from '../src/theme/ui-provider.tsx'
import { StoryBook } from './story-book.tsx'
import { storyMessages } from './story-messages.ts'
import type { StorySettings } from './story-settings.ts'

/** The story book with its theme, texts and query client. */
export function Book({
  begin,
  onChange,
}: {
  begin: StorySettings
  onChange?: (settings: StorySettings) => void
}): ReactNode {
  const [settings, setSettings] = useState(begin)
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }))
  const change = (next: StorySettings) => {
    onChange?.(next)
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
