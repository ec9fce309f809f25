// What readers of papers are called and what they find wrong with pictures: words that pages know too.

export type OcrName = 'tencent' | 'aliyun' | 'tesseract'
/**
 * What may be wrong with the picture of a paper. `copy`: a photocopy, or taken of a screen. `expired`: its term has ended, or
 * its dates cannot be right. `incomplete`: a part is cut off, covered or in glare. `unreadable`: no such paper is in it.
 */
export type OcrProblem =
  | 'blurred'
  | 'wrong-side'
  | 'copy'
  | 'expired'
  | 'incomplete'
  | 'altered'
  | 'temporary'
  | 'unreadable'
