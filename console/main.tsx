import '@fontsource-variable/hanken-grotesk/wght.css'
import './mantine.css'
import './theme.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api'
import { startI18n } from './i18n'
import { styleNonce } from './nonce'
import { router } from './routes'
import { theme, variables } from './theme'

await startI18n()

// A file of the version before this one, asked for by a page that was opened before it.
window.addEventListener('vite:preloadError', () => location.reload())

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
