import type { ReactNode } from 'react'
import { reread } from '#web/client/reread.ts'
import { Choice } from '#web/form/Choice.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { ROTATION } from './fields.ts'
import { OVERLAPS } from './rules.ts'

type Props<Given> = {
  title: string
  note: ReactNode
  /** One before it holds still, and ends now. */
  endsPrevious: boolean
  rotate: (form: { overlapHours: number }) => Promise<Given>
  onGiven: (given: Given) => void
  onClose: () => void
}

/** Another secret of a key or an endpoint, and how long the one before goes on. */
export function RotateForm<Given>({ title, note, endsPrevious, rotate, onGiven, onClose }: Props<Given>) {
  let given: { secret: Given } | null = null
  return (
    <FormDialog
      title={title}
      submitText="生成新密钥"
      of={ROTATION}
      send={async form => {
        given = { secret: await rotate(form) }
        await reread()
      }}
      onDone={() => {
        if (given) onGiven(given.secret)
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            {note}
            {endsPrevious && '上一次轮换留下的旧密钥会立即失效。'}
          </FormNote>
          <FormFields form={form} told={{ overlapHours: { group: true } }}>
            {{
              overlapHours: control => (
                <Choice
                  {...control}
                  look="lines"
                  label={ROTATION.overlapHours.label}
                  options={Object.entries(OVERLAPS).map(([hours, label]) => ({
                    value: Number(hours),
                    label,
                  }))}
                  value={form.draft.overlapHours}
                  onChange={overlapHours => form.change({ overlapHours })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
