import { Button, type ButtonProps } from '@mantine/core'
import { Check, Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { useCopy } from './useCopy'

/** Copies and confirms it. `name`: required where there are several. */
export function CopyButton({
  copying: { done, copy },
  name,
  iconSize = 16,
  ...props
}: ButtonProps & { copying: ReturnType<typeof useCopy>; name?: string | undefined; iconSize?: number }) {
  const { t } = useTranslation()
  const isCopied = done === 'copied'
  const Icon = isCopied ? Check : Copy
  return (
    <Button
      leftSection={<Icon size={iconSize} />}
      onClick={copy}
      aria-label={name && !isCopied ? t('ui.copy_named', { name }) : undefined}
      {...props}
    >
      {t(isCopied ? 'ui.copied' : 'ui.copy')}
    </Button>
  )
}
