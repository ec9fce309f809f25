import type { Calibration } from '#kit/print/bridge/bridge.ts'
import { calibrated } from '#kit/print/calibrated.ts'
import { escposRaster, escposText, lostAsText } from '#kit/print/escpos.ts'
import { rasterOf } from '#kit/print/raster.ts'
import type { ReceiptContent, ReceiptType } from '#kit/print/receipt.ts'
import type { SampleLength } from '#kit/print/receipt-samples.ts'
import { lostAsDots, sceneOfReceipt } from '#kit/print/receipt-scene.ts'
import { usePrint } from '#web/print/usePrint.tsx'
import { receiptsApi } from './receiptsApi.tsx'
import type { Laid } from './useReceiptPages.tsx'

type Printed = Laid & { content: ReceiptContent; sample: Sample }
export type Sample = { type: ReceiptType; length: SampleLength; isReprint: boolean }

/** A receipt as it stands on the page, for the printer that the dialog asks for. */
export function useTestPrint(name: string) {
  const { print, dialog } = usePrint()
  return {
    dialog,
    print: ({ paper, lines, glyphs, logos, content, sample }: Printed) =>
      print({
        kind: 'receipt',
        name: `${name} ${paper}mm`,
        copies: 1,
        // A whole sheet goes to no roll.
        ...(paper === 210 && { languages: ['pdf'] as const }),
        lost: (language, { mode }) =>
          language === 'escpos' && mode === 'text' ? lostAsText(lines) : lostAsDots(lines, glyphs),
        bytesFor: async (language, calibration, { mode }) => {
          if (language !== 'escpos') return documentOf({ content, ...sample, paper, calibration })
          if (mode === 'text') return escposText(lines, { paper, logos })
          const pages = sceneOfReceipt(lines, { paper, glyphs, logos, margins: false })
          return escposRaster(
            ...pages.map(({ scene }) => rasterOf(calibrated(scene, calibration), glyphs, calibration.dots)),
          )
        },
      }),
  }
}

type Asked = Sample & { content: ReceiptContent; paper: Laid['paper']; calibration: Calibration }

async function documentOf(asked: Asked): Promise<Uint8Array> {
  const { base64 } = await receiptsApi.paper(asked)
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
}
