import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { pack } from 'tar-stream';

export interface PackedFile {
  path: string;
  content: string | Buffer;
  /** In a zip archive: without compression. */
  isStored?: boolean;
  /** In a tar archive: a symbolic link to this path. */
  linkTo?: string;
}

export async function makeTar(files: readonly PackedFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { path, content, linkTo } of files) {
    if (linkTo === undefined) tar.entry({ name: path }, content);
    else tar.entry({ name: path, type: 'symlink', linkname: linkTo });
  }
  tar.finalize();
  return buffer(tar);
}

/** A zip archive as APPNOTE.TXT describes it. */
export async function makeZip(files: readonly PackedFile[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content, isStored = false } of files) {
    const bytes = Buffer.from(content);
    const data = isStored ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\x03\x04'), fields, name, data);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), fields, place, name);
    offset += 30 + name.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
