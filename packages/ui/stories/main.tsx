import { brands } from '@emma/contract/brands.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ModalArea } from '../src/feedback/modal-area.tsx'
import { StoryBook } from '../src/stories/story-book.tsx'
import { UiProvider } from '../src/theme/ui-provider.tsx'
import { type Language, loadWords } from '../src/words.tsx'

/** The story book on its own: `vite packages/ui/stories`. `?story=list&brand=ems&lng=de` choose. */
const parameters = new URLSearchParams(location.search)
const language = (['en', 'de', 'es'] as const).find(known => known === parameters.get('lng')) ?? 'en'
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })

function Book({ language: chosenLanguage }: { language: Language }): ReactNode {
  const [chosen, setChosen] = useState(parameters.get('story') ?? 'list')
  return (
    <QueryClientProvider client={queryClient}>
      <UiProvider
        brand={parameters.get('brand') === 'ems' ? brands.ems : brands.emma}
        language={chosenLanguage}
      >
        <StoryBook chosen={chosen} onChoose={setChosen} />
        <ModalArea />
      </UiProvider>
    </QueryClientProvider>
  )
}

await loadWords(language)
const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Book language={language} />
    </StrictMode>,
  )
}
