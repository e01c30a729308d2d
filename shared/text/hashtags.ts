/** Number of hashtags in a text, as readers see them. */
export const countHashtags = (text: string) =>
  text.match(/(?<![\p{L}\p{M}\p{N}_&#/])[#＃](?=[\p{N}_]*[\p{L}\p{M}])[\p{L}\p{M}\p{N}_]+/gu)?.length ?? 0
