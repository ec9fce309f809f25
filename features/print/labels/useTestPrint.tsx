import type { ReactNode } from 'react'
import { type Calibration, UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { calibrated } from '#kit/print/calibrated.ts'
import { type Glyphs, lackedOf } from '#kit/print/glyphs.ts'
import type { Label, LabelData } from '#kit/print/label.ts'
import { sceneOf } from '#kit/print/label-scene.ts'
import { labelJobBytes } from '#kit/print/native/label-job.ts'
import { usePrint } from '#web/print/usePrint.tsx'
import { labelsApi } from './labelsApi.tsx'

type Printed = { name: string; label: Label; data: LabelData; glyphs: Glyphs }

/** One label as it is drawn now, on the printer that stands on the desk. */
export function useTestPrint(): { print: (printed: Printed) => Promise<void>; dialog: ReactNode } {
  const { print, dialog } = usePrint()
  return {
    dialog,
    print: ({ name, label, data, glyphs }) =>
      print({
        ...{ kind: 'label', name: name || '标签试打', copies: 1 },
        // What a printer's own letters cannot say is drawn, so that only the font may lack something.
        lost: () => {
          const { marks } = sceneOf(label, data, { dots: UNCALIBRATED.dots, glyphs })
          return lackedOf(
            marks.filter(mark => mark.kind === 'text'),
            glyphs,
          )
        },
        bytesFor: async (language, calibration, speech) => {
          if (language === 'pdf' || language === 'escpos') return paperOf(label, data, calibration)
          const { dots } = calibration
          const scene = calibrated(sceneOf(label, data, { dots, glyphs }), calibration)
          const job = { width: label.width, height: label.height, dots, copies: 1 }
          return labelJobBytes(language, scene, glyphs, job, speech)
        },
      }),
  }
}

async function paperOf(content: Label, data: LabelData, calibration: Calibration): Promise<Uint8Array> {
  const { base64 } = await labelsApi.paper({ content: content as never, data: { ...data }, calibration })
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
}
