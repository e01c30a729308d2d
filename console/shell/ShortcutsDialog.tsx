import { Switch, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/dialog/Dialog'
import { ShortcutKeys, useShortcuts } from '../ui/focus/shortcuts'
import { useSingleKeyShortcuts } from '../ui/focus/useSingleKeyShortcuts'
import classes from './Palette.module.css'

/** Lists the shortcuts that work on the current page. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const shortcuts = useShortcuts()
  const [letterKeys, setLetterKeys] = useSingleKeyShortcuts()
  return (
    <Dialog opened onClose={onClose} title={t('shortcuts.title')} size="sm">
      <dl className={classes.shortcuts}>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              <ShortcutKeys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <Switch
        mt="lg"
        label={t('shortcuts.single')}
        checked={letterKeys}
        onChange={({ currentTarget }) => setLetterKeys(currentTarget.checked)}
      />
      {!letterKeys && (
        <Text fz="sm" c="dimmed" mt="xs">
          {t('shortcuts.single_off')}
        </Text>
      )}
    </Dialog>
  )
}
