import { mount } from "svelte";
import "./app.css";
import Site from "./site/Site.svelte";

const target = document.getElementById("page");
if (target) mount(Site, { target });
