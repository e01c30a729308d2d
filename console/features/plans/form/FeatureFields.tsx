import { ActionIcon, Button, TextInput } from '@mantine/core'
import { Plus, X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { SortableList, useSortableRow } from '../SortableList'
import type { PlanFormState } from './form-values'
import { type Bullet, MAX_FEATURES, newBullet } from './form-values'
import classes from './PlanForm.module.css'

/**
 * The bullets below the price, one a line. Enter adds the next one, Backspace removes an empty one, and each line of a
 * pasted list becomes a bullet.
 */
export function FeatureFields({ form }: { form: PlanFormState }) {
  const { t } = useTranslation()
  const { features } = form.values
  const list = useRef<HTMLUListElement>(null)
  const goesTo = useRef<number>(undefined)
  useEffect(() => {
    if (goesTo.current === undefined) return
    const fields = list.current?.querySelectorAll('input')
    const field = fields?.[Math.min(goesTo.current, fields.length - 1)]
    goesTo.current = undefined
    if (field) field.focus()
    else document.getElementById('add-feature')?.focus()
  })
  /** Focuses the bullet `at`. */
  const set = (bullets: Bullet[], at?: number) => {
    goesTo.current = at
    form.setFieldValue('features', bullets.slice(0, MAX_FEATURES))
    for (const path of Object.keys(form.errors)) if (path.startsWith('features')) form.clearFieldError(path)
  }
  const isFull = features.length >= MAX_FEATURES
  const begin = (after: number) => !isFull && set(features.toSpliced(after, 0, newBullet()), after)
  const drop = (at: number) => set(features.toSpliced(at, 1), Math.max(0, at - 1))
  const move = (from: number, to: number) => {
    const [moved] = features.slice(from, from + 1)
    if (moved) set(features.toSpliced(from, 1).toSpliced(to, 0, moved))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      begin(at + 1)
    } else if (event.key === 'Backspace' && event.currentTarget.value === '') {
      event.preventDefault()
      drop(at)
    }
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>, at: number) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/[\r\n]+/)
      .map((line) => line.replace(/^\s*[-*•·–]\s+/, '').trim())
      .filter(Boolean)
    if (lines.length < 2) return
    event.preventDefault()
    const isEmpty = features[at]?.text.trim() === ''
    const bullets = lines.map((line) => newBullet(line.slice(0, 200)))
    set(features.toSpliced(isEmpty ? at : at + 1, isEmpty ? 1 : 0, ...bullets), at + lines.length)
  }
  return (
    <div>
      <SortableList
        ids={features.map(({ id }) => id)}
        nameOf={(id) => features.find((bullet) => bullet.id === id)?.text ?? ''}
        onMove={move}
      >
        <ul ref={list} className={classes.bullets} aria-label={t('admin.plans.part_features')}>
          {features.map((bullet, at) => (
            <BulletField
              key={bullet.id}
              form={form}
              bullet={bullet}
              at={at}
              onKeyDown={onKeyDown}
              onPaste={onPaste}
              onDrop={() => drop(at)}
            />
          ))}
        </ul>
      </SortableList>
      <Button
        id="add-feature"
        variant="default"
        mt={features.length > 0 ? 'sm' : 0}
        leftSection={<Plus size={16} />}
        disabled={isFull}
        onClick={() => begin(features.length)}
      >
        {t('admin.plans.feature_add')}
      </Button>
    </div>
  )
}

function BulletField({
  form,
  bullet,
  at,
  onKeyDown,
  onPaste,
  onDrop,
}: {
  form: PlanFormState
  bullet: Bullet
  at: number
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>, at: number) => void
  onPaste: (event: ClipboardEvent<HTMLInputElement>, at: number) => void
  onDrop: () => void
}) {
  const { t } = useTranslation()
  const n = at + 1
  const { row, handle } = useSortableRow<HTMLLIElement>(bullet.id, bullet.text || t('admin.plans.feature_n', { n }))
  return (
    <li className={classes.bullet} {...row}>
      {handle}
      <TextInput
        aria-label={t('admin.plans.feature_n', { n })}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps(`features.${at}.text`)}
        onKeyDown={(event) => onKeyDown(event, at)}
        onPaste={(event) => onPaste(event, at)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        aria-label={t('admin.plans.feature_remove', { n })}
        onClick={onDrop}
      >
        <X size={18} />
      </ActionIcon>
    </li>
  )
}
