import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { type FetchQueryOptions, type QueryKey, useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isStatus, queryClient } from '../../api'
import { type FieldOfCode, fieldProblems } from '../feedback/problem'
import { useErrorNotification } from '../feedback/useErrorNotification'
import { focusFirst, useFormSubmit } from './useFormSubmit'

/** A record with the ETag that a change sends back. */
export type Loaded<Item> = { record: Item; etag: string }

type RecordFormOptions<Values, Item, Patch, Created, Key extends QueryKey> = {
  /** The record to change, or the first values of a new one. */
  start: Loaded<Item> | { values: Values }
  query: (record: Item) => FetchQueryOptions<Loaded<Item>, Error, Loaded<Item>, Key>
  toValues: (record: Item) => Values
  /** Only the changed fields, so that simultaneous changes by others survive. */
  toPatch: (values: Values, before: Values) => Patch
  isChanged: (values: Values, before: Values) => boolean
  update: (patch: Patch, base: Loaded<Item>) => Promise<Loaded<Item>>
  onUpdated: (saved: Loaded<Item>, base: Loaded<Item>) => unknown
  create?: (values: Values) => Promise<Created>
  onCreated?: (created: Created, values: Values) => unknown
  /** Applies the user's changes to a newer version. Without it, each changed field replaces the newer one. */
  merge?: (values: Values, before: Values, current: Values) => Values
  validate?: (values: Values, before: Values) => FormErrors
  /** The field that an error code concerns. */
  at?: FieldOfCode<keyof Values & string>
  /** Errors of parts of a field, such as a row of a list, by their path in the form. */
  partProblems?: (error: Error, values: Values) => Record<string, string>
  /** Called before the first wrong field gets the focus, to show it if it is hidden. */
  onFieldErrors?: (errors: FormErrors) => void
}

export type RecordForm<Values extends Record<string, unknown>, Item> = {
  form: UseFormReturnType<Values>
  /** The version that the form shows; absent while the record is new. */
  base: Loaded<Item> | undefined
  /** The values of that version, or those that a new record starts with. */
  before: Values
  changed: boolean
  /** Whether leaving would lose changes. */
  isUnsaved: boolean
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  isSaving: boolean
  problem: Error | null
  /** Discards the changes, and shows the latest version. */
  undo: () => void
  /** Reloads the record after a conflict, with the user's changes on top for review. */
  reload: (done: () => void) => void
  isReloading: boolean
}

/**
 * The form of a record with a version. It saves only changes to the version that it shows: when somebody else saved
 * first, the user reloads and keeps their own changes. An untouched form follows the latest version.
 */
export function useRecordForm<Values extends Record<string, unknown>, Item, Patch, Created, Key extends QueryKey>(
  options: RecordFormOptions<Values, Item, Patch, Created, Key>,
): RecordForm<Values, Item> {
  const { start, query, toValues, isChanged, merge = mergeFields, onFieldErrors } = options
  const { t } = useTranslation()
  const latest = 'etag' in start ? start : undefined
  const [{ base, before }, setShown] = useState(() => ({
    base: latest,
    before: 'etag' in start ? toValues(start.record) : start.values,
  }))
  const form: UseFormReturnType<Values> = useForm<Values>({
    initialValues: before,
    validate: (values) => options.validate?.(values, before) ?? {},
  })
  const changed = isChanged(form.values, before)
  /** `merged`: the values shown, if not those of the version. */
  const show = (now: Loaded<Item>, merged?: (current: Values) => Values) => {
    const current = toValues(now.record)
    setShown({ base: now, before: current })
    form.setInitialValues(current)
    form.setValues(merged ? merged(current) : current)
  }

  const save = useFormSubmit<Values, () => unknown>(form, {
    ...(options.at && { at: options.at }),
    // Resolves to the step that follows.
    mutationFn: async (values) => {
      if (!base) {
        const created = await options.create?.(values)
        return () => created && options.onCreated?.(created, values)
      }
      const patch = options.toPatch(values, before)
      const saved = await options.update(patch, base).catch(async (error: unknown) => {
        if (!isStatus(error, 412)) throw error
        // A change of what the form does not show, such as a switch beside it, is no conflict.
        const now = await queryClient.fetchQuery({ ...query(base.record), staleTime: 0 })
        if (isChanged(toValues(now.record), before)) throw error
        return options.update(patch, now)
      })
      return () => {
        show(saved)
        queryClient.setQueryData<Loaded<Item>>(query(saved.record).queryKey, saved)
        return options.onUpdated(saved, base)
      }
    },
    onSuccess: (next) => next(),
    onError: (error) => {
      for (const [path, message] of Object.entries(options.partProblems?.(error, form.values) ?? {})) {
        form.clearFieldError(path.split('.')[0] ?? '')
        form.setFieldError(path, message)
      }
      onFieldErrors?.(fieldProblems(t, error))
    },
  })
  const reload = useMutation({
    mutationFn: (record: Item) => queryClient.fetchQuery({ ...query(record), staleTime: 0 }),
    onSuccess: (now) => {
      show(now, (current) => merge(form.values, before, current))
      save.reset()
    },
    onError: useErrorNotification(),
  })

  // Changes made elsewhere are a conflict only with changes made here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version
  useEffect(() => {
    if (!latest || latest.etag === base?.etag) return
    if (!changed) show(latest)
    else if (!isChanged(toValues(latest.record), before)) show(latest, () => form.values)
  }, [latest?.etag])

  return {
    form,
    base,
    before,
    changed,
    isUnsaved: changed && (base !== undefined || !save.isSuccess),
    onSubmit: (event) => {
      const { errors, hasErrors } = form.validate()
      if (!hasErrors) return save.onSubmit(event)
      event.preventDefault()
      onFieldErrors?.(errors)
      // A hidden field is shown first.
      setTimeout(() => focusFirst(Object.keys(errors).map((path) => form.getInputNode(path))))
    },
    isSaving: save.isPending,
    problem: save.problem,
    undo: () => (latest && latest.etag !== base?.etag ? show(latest) : form.reset()),
    reload: (done) => base && reload.mutate(base.record, { onSuccess: done }),
    isReloading: reload.isPending,
  }
}

function mergeFields<Values extends Record<string, unknown>>(values: Values, before: Values, current: Values): Values {
  const own = Object.entries(values).filter(([field, value]) => value !== before[field])
  return { ...current, ...Object.fromEntries(own) }
}
