import { useState } from 'react'
import type { Target } from '#kit/print/bridge/bridge.ts'
import { UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { SHEET } from '#kit/print/bridge/bridge-sheet.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { FormGrid } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import { calibrate } from '#web/print/bridge-link.ts'
import { CALIBRATION } from './fields.ts'
import styles from './printing.module.css'
import {
  brokenIn,
  CALIBRATION_REFUSALS,
  type CalibrationDraft,
  calibrationOf,
  correctionOf,
  draftOf,
  EXPECTED,
  type Measured,
  wordsOf,
} from './rules.ts'

type Dots = Pick<CalibrationDraft, 'dots'>
const KEYS = ['left', 'top', 'across', 'down'] as const
const MM = { unit: '毫米' }
const PERCENT = { unit: '%' }
const DOTS = [8, 12, 24].map(dots => ({
  value: dots as CalibrationDraft['dots'],
  label: `${dots} 点（${{ 8: 203, 12: 300, 24: 600 }[dots]} dpi）`,
}))

/** What a ruler says of the printed sheet, what follows from it, and where that puts the print. */
export default function CalibrateDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const expected = Object.fromEntries(KEYS.map(key => [key, String(EXPECTED[key])])) as Measured
  const { dots, ...draft } = draftOf(target.calibration)
  return (
    <FormDialog<typeof CALIBRATION, Dots>
      title={`校准 ${target.name}`}
      submitText="保存"
      width={600}
      of={CALIBRATION}
      known={{ ...draft, ...expected }}
      more={{ dots }}
      refuse={typed =>
        brokenIn(typed).map(({ field, code }) => ({ field, message: CALIBRATION_REFUSALS[code] }))
      }
      send={async typed => {
        calibrate(target.id, calibrationOf(typed))
        toast.success('保存成功')
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>先打印校准页，用尺量出下面四个数；按当前校准打印的那一张才能用来换算。</FormNote>
          <FormGrid>
            <FormFields form={form} only={KEYS} told={{ left: MM, top: MM, across: MM, down: MM }} />
          </FormGrid>
          <TakeOver form={form} target={target} />
          <FormGrid>
            <FormFields
              form={form}
              only={['offsetX', 'offsetY', 'scaleX', 'scaleY']}
              told={{ offsetX: MM, offsetY: MM, scaleX: PERCENT, scaleY: PERCENT }}
            />
          </FormGrid>
          <ChoiceField form={form} name="dots" label="分辨率（每毫米）" look="lines" options={DOTS} />
          <Preview draft={form.draft} />
        </>
      )}
    </FormDialog>
  )
}

function TakeOver({ form, target }: { form: FormOf<typeof CALIBRATION, Dots>; target: Target }) {
  const [wrong, setWrong] = useState(false)
  const take = () => {
    const next = correctionOf(target.calibration, form.draft)
    setWrong(next === null)
    if (next) form.change({ ...draftOf(next), dots: form.draft.dots })
  }
  return (
    <div className={styles.take}>
      <Button onClick={take}>按测量值计算</Button>
      <Button kind="link" onClick={() => form.change({ ...draftOf(UNCALIBRATED), dots: form.draft.dots })}>
        恢复为未校准
      </Button>
      <p className={styles.reason} role="alert">
        {wrong && CALIBRATION_REFUSALS.MEASURED_INVALID}
      </p>
    </div>
  )
}

/** The sheet as drawn, and as it is sent now. */
function Preview({ draft }: { draft: CalibrationDraft }) {
  const isFine = brokenIn(draft).length === 0
  const calibration = isFine ? calibrationOf(draft) : UNCALIBRATED
  const { width, height, left, top, across, down } = SHEET
  const scale = { x: calibration.scaleX / 10_000, y: calibration.scaleY / 10_000 }
  const sent = {
    x: left * scale.x + calibration.offsetX,
    y: top * scale.y + calibration.offsetY,
    width: across * scale.x,
    height: down * scale.y,
  }
  return (
    <figure className={styles.preview}>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <rect className={styles.paper} width={width} height={height} />
        <rect className={styles.drawn} x={left} y={top} width={across} height={down} />
        <rect className={styles.sent} {...sent} />
      </svg>
      <figcaption>虚线为原位置，实线为发送的位置。{wordsOf(calibration) || '没有修正'}</figcaption>
    </figure>
  )
}
