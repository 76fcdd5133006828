import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The page is served by fourcard itself, from the package; the content policy allows no inline script.
export default defineConfig({
  plugins: [svelte()],
  // Relative, because the trainer also stands in any folder of any web host.
  base: "./",
  build: {
    outDir: process.env.FOURCARD_PAGE ?? "../src/fourcard/server/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The page of a house, and the trainer without a server.
    rolldownOptions: { input: ["index.html", "site.html"] },
    reportCompressedSize: false,
    // Names each package whose code is in the page, with its licence, which must travel with it.
    license: { fileName: "licences.json" },
  },
});
