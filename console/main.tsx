import '@fontsource-variable/hanken-grotesk/wght.css'
import './theme/mantine.css'
import './theme/theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api'
import { startI18n } from './i18n'
import { reloadIfReachable } from './load-code'
import { router } from './routes'
import { printInLightColors } from './theme/print'
import { styleNonce } from './theme/style-nonce'
import { theme, variables } from './theme/theme'

void start()

// No await at the top level: it would give every page a file of its own that only leads to its chunk.
async function start() {
  await startI18n()

  // After an upgrade, an open page requests files of the former version.
  window.addEventListener('vite:preloadError', () => void reloadIfReachable())

  printInLightColors()

  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={variables}
          defaultColorScheme="auto"
          getStyleNonce={styleNonce}
          // The provider alone sets the variables: the style sheet of the defaults would bring them a second time.
          deduplicateCssVariables={false}
        >
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </MantineProvider>
      </StrictMode>,
    )
}
